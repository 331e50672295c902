#include "Call.h"

#include <eagle/Error.h>
#include <eagle/marshal/Control.h>
#include <eagle/marshal/FloatEnvironment.h>
#include <eagle/marshal/Pack.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <limits>
#include <new>
#include <utility>

#include "ArrayImport.h"
#include "BoundNames.h"
#include "Gil.h"
#include "Outputs.h"
#include "Warnings.h"

namespace hawk::native {

using eagle::Parameter;
using eagle::Signature;
using eagle::marshal::Control;
using eagle::marshal::FloatEnvironment;
using eagle::marshal::Notice;
using eagle::marshal::Options;
using eagle::marshal::Packed;
using eagle::marshal::Value;
using eagle::python::Accept;
using eagle::python::Import;
using eagle::python::PythonError;
using eagle::python::Reference;
using eagle::python::Subject;

namespace {

// Only as many imports are constructed as there are parameters, on the stack when they are few.
class Imports {
  public:
    explicit Imports(std::size_t count) {
        if (count > few) {
            many_ = std::make_unique<Import[]>(count);
            values_many_.resize(count);
        }
        first_ = many_ ? many_.get() : reinterpret_cast<Import*>(in_place_);
        values_ = many_ ? values_many_.data() : values_in_place_;
        if (!many_)
            for (; count_ < count; ++count_) new (first_ + count_) Import;
        count_ = count;
        std::fill_n(values_, count, nullptr);
    }
    ~Imports() {
        if (many_) return;
        for (std::size_t i = 0; i < count_; ++i) first_[i].~Import();
    }
    Imports(const Imports&) = delete;
    Imports& operator=(const Imports&) = delete;

    Import& operator[](std::size_t i) { return first_[i]; }
    const Value** values() { return values_; }

  private:
    static constexpr std::size_t few = 12;
    alignas(Import) std::byte in_place_[few * sizeof(Import)];
    const Value* values_in_place_[few];
    std::unique_ptr<Import[]> many_;
    std::vector<const Value*> values_many_;
    Import* first_;
    const Value** values_;
    std::size_t count_ = 0;
};

struct Where {
    bool torch = false;
    bool mixed = false;                        // planes on different devices
    const eagle::ArrayView* device = nullptr;  // the first plane that is not on the host
    const Parameter* on_device = nullptr;      // and what it is given for
};

Where import_all(const Program& program, PyObject* const* given, Imports& imports) {
    const Signature& signature = program.signature();
    Where where;
    bool host = false;
    for (std::size_t i = 0; i < program.count(); ++i) {
        if (given[i] == nullptr) continue;
        const Parameter& p = signature.parameters[i];
        Import& in = imports[i];
        import_argument(given[i], Subject{signature.kernel, p.name}, !p.is_plane(), signature.writes(p), Accept::values,
                        in);
        imports.values()[i] = &in.value;
        where.torch = where.torch || in.torch;
        const auto* view = std::get_if<eagle::ArrayView>(&in.value);
        if (view == nullptr || !p.is_plane()) continue;
        if (in.on_host()) {
            host = true;
        } else if (where.device == nullptr) {
            where.device = view;
            where.on_device = &p;
        } else if (view->device_type != where.device->device_type || view->device_id != where.device->device_id) {
            where.mixed = true;
        }
    }
    where.mixed = where.mixed || (host && where.device != nullptr);
    return where;
}

// ---- arrays on a device ----

std::atomic<PyObject*> device_hook;
thread_local PyObject* recorder_here = nullptr;

Reference keyword_dict(PyObject* const* values, PyObject* keywords) {
    Reference dict = Reference::own(PyDict_New());
    for (Py_ssize_t k = 0; keywords != nullptr && k < PyTuple_GET_SIZE(keywords); ++k)
        if (PyDict_SetItem(dict.get(), PyTuple_GET_ITEM(keywords, k), values[k]) != 0) throw PythonError{};
    return dict;
}

Reference positional_tuple(PyObject* const* arguments, std::size_t positional) {
    Reference tuple = Reference::own(PyTuple_New(static_cast<Py_ssize_t>(positional)));
    for (std::size_t k = 0; k < positional; ++k) {
        Py_INCREF(arguments[k]);
        PyTuple_SET_ITEM(tuple.get(), static_cast<Py_ssize_t>(k), arguments[k]);
    }
    return tuple;
}

// ---- the launch ----

// Giving up the GIL beside a busy Python thread costs milliseconds, so it is kept for short work.
constexpr double release_above_ns = 100e3;
constexpr double time_above_ns = 10e3;
// Between windows of this length the interpreter is asked for signals.
constexpr double window_ns = 25e6;
constexpr std::int64_t first_window = 1024;  // samples, while their cost is not known

struct Launch {
    const Program& program;
    void* const* params;
    std::int64_t samples;

    void run(std::int64_t base, std::int64_t count) const {
        FloatEnvironment environment;
        program.entry()(params, base, count, samples);
    }

    // Runs and remembers the cost of a sample, which is returned, in nanoseconds.
    double run_timed(std::int64_t base, std::int64_t count) const {
        auto start = std::chrono::steady_clock::now();
        run(base, count);
        std::chrono::duration<double, std::nano> took = std::chrono::steady_clock::now() - start;
        double each = std::max(0.01, took.count() / static_cast<double>(count));
        program.measured(each);
        return each;
    }

    // Without the GIL, in windows. Throws PythonError when a signal handler raised; the samples before are done.
    void run_released(double each) const {
        std::int64_t done = 0;
        while (done < samples) {
            double fitting = each > 0 ? window_ns / each : static_cast<double>(first_window);
            std::int64_t left = samples - done;
            std::int64_t count = !program.whole() && fitting < static_cast<double>(left)
                                     ? std::max<std::int64_t>(1, std::llround(fitting))
                                     : left;
            {
                const eagle::python::WithoutGil released;
                each = run_timed(done, count);
            }
            done += count;
            if (done < samples && PyErr_CheckSignals() != 0) throw PythonError{};
        }
    }
};

void launch(const Program& program, Packed& packed) {
    Launch work{program, packed.params(), packed.samples()};
    if (work.samples == 0) return;
    double each = program.ns_per_sample();
    double expected = each * static_cast<double>(work.samples);
    if (each > 0 && expected < time_above_ns) {
        work.run(0, work.samples);
    } else if (each > 0 && expected < release_above_ns) {
        work.run_timed(0, work.samples);
    } else {
        try {
            work.run_released(each);
        } catch (const PythonError&) {
            packed.copy_back();
            throw;
        }
    }
    packed.copy_back();
}

void warn_all(const Packed& packed, const Signature& signature, Imports& imports) {
    for (const Notice& notice : packed.notices()) {
        int i = signature.find(notice.parameter);
        if (i >= 0 && imports[static_cast<std::size_t>(i)].sequence) continue;
        eagle::python::warn(notice);
    }
}

PyObject* call_on_host(const Program& program, const BoundNames& bound, Imports& imports, bool torch) {
    const Signature& signature = program.signature();
    Outputs outputs(program);
    Options options;
    options.conversion = eagle::marshal::Conversion::convert;
    options.layout = bound.layout();
    options.allocate_out = true;
    options.allocator = &outputs;
    Packed packed = pack(signature, std::span<const Value* const>(imports.values(), program.count()), options);
    if (!packed.notices().empty()) warn_all(packed, signature, imports);
    if (program.control() < 0) {
        launch(program, packed);
    } else {
        alignas(64) std::int64_t control[Control::size] = {};
        control[Control::max_steps] = std::numeric_limits<std::int64_t>::max();
        packed.set_supplied(static_cast<std::size_t>(program.control()), control, Control::size);
        launch(program, packed);
        eagle::marshal::raise_fault(signature, control);
    }
    return outputs.result(bound.given(), torch);
}

}  // namespace

PyObject* recorder_of_this_thread() { return recorder_here; }

PyObject* exchange_recorder(PyObject* recorder) {
    Py_XINCREF(recorder);
    return std::exchange(recorder_here, recorder);
}

PyObject* record(PyObject* recorder, PyObject* kernel, PyObject* const* arguments, std::size_t positional,
                 PyObject* keywords) {
    Reference held = Reference::borrow(recorder);
    Reference args = positional_tuple(arguments, positional);
    Reference named = keyword_dict(arguments + positional, keywords);
    return Reference::own(PyObject_CallFunctionObjArgs(held.get(), kernel, args.get(), named.get(), nullptr)).release();
}

PyObject* exchange_device_hook(PyObject* hook) {
    Py_XINCREF(hook);
    return device_hook.exchange(hook);
}

PyObject* call(const Program& program, PyObject* kernel, PyObject* const* arguments, std::size_t positional,
               PyObject* keywords) {
    BoundNames bound(program, arguments, positional, keywords);
    Imports imports(program.count());
    Where where = import_all(program, bound.given(), imports);
    Reference hook = where.device != nullptr && !where.mixed ? Reference::borrow(device_hook.load()) : Reference();
    if (!hook) return call_on_host(program, bound, imports, where.torch);
    Reference args = positional_tuple(arguments, positional);
    Reference named = keyword_dict(arguments + positional, keywords);
    return Reference::own(PyObject_CallFunction(hook.get(), "OOOsii", kernel, args.get(), named.get(),
                                                where.on_device->name.c_str(), where.device->device_type,
                                                where.device->device_id))
        .release();
}

}  // namespace hawk::native
