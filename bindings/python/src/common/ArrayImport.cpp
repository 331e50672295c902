#include "ArrayImport.h"

#include <eagle/Error.h>
#include <eagle/marshal/ShapeText.h>

#include <algorithm>

#include "Routes.h"

namespace eagle::python {

std::string Subject::text() const {
    std::string text = "argument '" + std::string(parameter) + "'";
    if (!kernel.empty()) text += " of kernel '" + std::string(kernel) + "'";
    return text;
}

// ---- Hold ----

Hold::Hold(Hold&& other) noexcept { take(other); }

Hold& Hold::operator=(Hold&& other) noexcept {
    if (this == &other) return *this;
    release();
    take(other);
    return *this;
}

void Hold::take(Hold& other) noexcept {
    has_buffer_ = std::exchange(other.has_buffer_, false);
    if (has_buffer_) {
        // A buffer may point into itself: a one-dimensional exporter lets shape point at len, strides at itemsize.
        buffer_ = other.buffer_;
        if (buffer_.shape == &other.buffer_.len) buffer_.shape = &buffer_.len;
        if (buffer_.strides == &other.buffer_.itemsize) buffer_.strides = &buffer_.itemsize;
    }
    versioned_ = std::exchange(other.versioned_, nullptr);
    legacy_ = std::exchange(other.legacy_, nullptr);
    object_ = std::move(other.object_);
}

void Hold::release() {
    if (has_buffer_) PyBuffer_Release(&buffer_);
    has_buffer_ = false;
    if (versioned_ != nullptr || legacy_ != nullptr) {
        const KeptError kept;  // a deleter may run Python
        if (versioned_ != nullptr && versioned_->deleter != nullptr) versioned_->deleter(versioned_);
        if (legacy_ != nullptr && legacy_->deleter != nullptr) legacy_->deleter(legacy_);
        versioned_ = nullptr;
        legacy_ = nullptr;
    }
    object_ = Reference();
}

int Hold::traverse(visitproc visit, void* arg) const {
    if (has_buffer_) Py_VISIT(buffer_.obj);
    Py_VISIT(object_.get());
    return 0;
}

// ---- import ----

namespace {

// The attribute, or null without the cost of an AttributeError.
Reference optional_attribute(PyObject* object, PyObject* name) {
    PyObject* found = nullptr;
#if PY_VERSION_HEX >= 0x030D0000
    int rc = PyObject_GetOptionalAttr(object, name, &found);
#else
    int rc = _PyObject_LookupAttr(object, name, &found);
#endif
    if (rc < 0) throw PythonError{};
    return Reference::maybe(found);
}

SamplesAxis marked_axis(PyObject* object, const Subject& subject) {
    static PyObject* const name = PyUnicode_InternFromString("__raptor_samples_axis__");
    Reference mark = optional_attribute(object, name);
    if (!mark || mark.get() == Py_None) return SamplesAxis::unspecified;
    if (PyUnicode_Check(mark.get())) {
        if (PyUnicode_CompareWithASCIIString(mark.get(), "first") == 0) return SamplesAxis::first;
        if (PyUnicode_CompareWithASCIIString(mark.get(), "last") == 0) return SamplesAxis::last;
    }
    throw LayoutError(subject.text() +
                      " has an attribute __raptor_samples_axis__ that says neither \"first\" nor "
                      "\"last\": mark it with samples_first(x) or samples_last(x)");
}

}  // namespace

void refuse_special(const TypeRoutes& routes, const Subject& subject, bool written) {
    if (routes.masked)
        throw BufferRefused(subject.text() +
                            " is a masked array, and a kernel knows no mask; it needs plain values: pass "
                            "x.filled(value)");
    if (routes.pandas)
        throw BufferRefused(subject.text() + " is a pandas object (" + routes.type->tp_name +
                            "), which may hold NA; it needs an array: pass x.to_numpy(dtype=\"float64\", "
                            "na_value=float(\"nan\"))");
    if (routes.torch && written)
        throw BufferRefused(subject.text() +
                            " is a torch tensor, which crosses by copy, and the kernel writes it in place; it needs "
                            "the array over the tensor's memory: pass torch.Tensor.numpy(x)");
}

namespace {

// A type that has both may refuse a buffer of memory that lies on a device.
bool refuses_buffer(PyObject* object) {
    Py_buffer buffer;
    if (PyObject_GetBuffer(object, &buffer, PyBUF_STRIDES | PyBUF_FORMAT) == 0) {
        PyBuffer_Release(&buffer);
        return false;
    }
    clear_exception();
    return true;
}

bool take_route(PyObject* object, const TypeRoutes& routes, const Subject& subject, bool written, Import& into,
                ArrayView& view) {
    if (routes.exchange != nullptr) {
        by_exchange(object, routes, subject, into, view);
        return true;
    }
    if (routes.buffer && (routes.numpy || routes.dlpack == nullptr || !refuses_buffer(object))) {
        by_buffer(object, subject, into, view);
        return true;
    }
    if (routes.dlpack != nullptr) {
        by_dlpack(object, routes, subject, written, into, view);
        return true;
    }
    return by_cuda_interface(object, view) || by_array_interface(object, subject, into, view);
}

Reference as_ndarray(PyObject* sequence, const Subject& subject) {
    Reference numpy = Reference::own(PyImport_ImportModule("numpy"));
    PyObject* made = PyObject_CallMethod(numpy.get(), "asarray", "(O)", sequence);
    if (made == nullptr && PyErr_ExceptionMatches(PyExc_ValueError) != 0) {
        PyErr_Clear();
        throw LayoutError(subject.text() + " is a " + Py_TYPE(sequence)->tp_name +
                          " whose rows differ in length; it needs numbers in equal rows");
    }
    return Reference::own(made);
}

[[noreturn]] void refuse_object(PyObject* object, const Subject& subject, bool uniform, Accept accept) {
    std::string text = subject.text() + " is of type " + Py_TYPE(object)->tp_name;
    if (uniform) throw ArgumentError(text + "; it needs a number");
    text += "; it needs an array (NumPy, or anything with __dlpack__, __array_interface__ or the buffer protocol)";
    throw ArgumentError(text + (accept == Accept::arrays ? ": pass numpy.asarray(x)" : ", or a list of numbers"));
}

}  // namespace

void check_dimensions(std::int64_t ndim, const Subject& subject) {
    if (ndim <= ArrayView::max_dims) return;
    throw LayoutError(subject.text() + " has " + std::to_string(ndim) + " dimensions; at most " +
                      std::to_string(ArrayView::max_dims) + " are read");
}

namespace {

// From the lowest to behind the highest byte, relative to the first element; false where 64 bits cannot say it.
bool span_of(const ArrayView& view, std::int64_t& low, std::int64_t& high) {
    low = 0;
    high = view.type.bits / 8 * view.type.lanes;
    for (std::size_t i = 0; i < static_cast<std::size_t>(view.ndim); ++i) {
        std::int64_t way = 0;
        if (__builtin_mul_overflow(view.shape[i] - 1, view.strides[i], &way)) return false;
        std::int64_t& end = way < 0 ? low : high;
        if (__builtin_add_overflow(end, way, &end)) return false;
    }
    return true;
}

bool is_empty(const ArrayView& view) {
    const auto* const end = view.shape.data() + view.ndim;
    return std::find(view.shape.data(), end, 0) != end;
}

}  // namespace

void check_reach(const ArrayView& view, const Subject& subject) {
    if (is_empty(view)) return;
    std::int64_t low = 0, high = 0;
    const auto first = reinterpret_cast<std::uintptr_t>(view.data);
    if (span_of(view, low, high) && first + static_cast<std::uint64_t>(high) >= first &&
        (view.data == nullptr || first >= std::uint64_t{0} - static_cast<std::uint64_t>(low)))
        return;
    throw InteropError(subject.text() + " has shape " + shape_text(view) + " and strides of " +
                       shape_text({view.strides.data(), static_cast<std::size_t>(view.ndim)}) +
                       " bytes, which reach beyond all addresses; they must lie in memory: its producer is at fault");
}

namespace {

bool import_by(PyObject* object, const TypeRoutes& routes, const Subject& subject, bool written, Import& into) {
    if (routes.masked || routes.pandas) refuse_special(routes, subject, written);
    ArrayView& view = into.value.emplace<ArrayView>();
    if (routes.ndarray) {
        by_buffer(object, subject, into, view);
        return true;
    }
    // NumPy scalars that are no numbers (dates, strings, records) show their bytes as a buffer.
    if (routes.number == NumberKind::other) return false;
    if (!take_route(object, routes, subject, written, into, view)) return false;
    into.torch = routes.torch;
    // On a device it is written in place; from the host it crosses by copy.
    if (routes.torch && written && into.on_host()) refuse_special(routes, subject, written);
    view.axis = marked_axis(object, subject);
    return true;
}

}  // namespace

bool import_array(PyObject* object, const Subject& subject, bool written, Import& into) {
    return import_by(object, *RoutesOf(Py_TYPE(object)), subject, written, into);
}

void import_argument(PyObject* object, const Subject& subject, bool uniform, bool written, Accept accept,
                     Import& into) {
    const RoutesOf found(Py_TYPE(object));
    const TypeRoutes& routes = *found;
    if (routes.number != NumberKind::none && import_number(object, subject, into.value)) return;
    if (routes.sequence && accept == Accept::values && !uniform) {
        if (written)
            throw ArgumentError(subject.text() + " is a " + Py_TYPE(object)->tp_name +
                                ", and the kernel writes it in place; it needs an array: pass numpy.asarray(x)");
        Reference array = as_ndarray(object, subject);
        into.sequence = true;
        import_array(array.get(), subject, written, into);
        return;
    }
    if (!import_by(object, routes, subject, written, into)) refuse_object(object, subject, uniform, accept);
}

}  // namespace eagle::python
