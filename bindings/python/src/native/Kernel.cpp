#include "Kernel.h"

#include <atomic>
#include <cstddef>

#include "Call.h"
#include "Exceptions.h"
#include "Reference.h"

#if PY_VERSION_HEX < 0x030C0000
#include <structmember.h>
#define Py_T_PYSSIZET T_PYSSIZET
#define Py_READONLY READONLY
#endif

namespace hawk::native {

using eagle::python::PythonError;
using eagle::python::Reference;

namespace {

struct KernelObject {
    PyObject_HEAD vectorcallfunc vectorcall;
    std::atomic<const Program*> program;  // set once; the object below keeps it alive
    std::atomic<PyObject*> program_object;
};

ProgramOf program_of = nullptr;

KernelObject* self_of(PyObject* object) { return reinterpret_cast<KernelObject*>(object); }

const Program& compiled(PyObject* object) {
    KernelObject* self = self_of(object);
    if (const Program* program = self->program.load(std::memory_order_acquire)) return *program;
    Reference done = Reference::own(PyObject_CallMethod(object, "_compile", nullptr));
    if (const Program* program = self->program.load(std::memory_order_acquire)) return *program;
    PyErr_Format(PyExc_RuntimeError, "%s._compile() returned without calling _install(); no kernel is there to run",
                 Py_TYPE(object)->tp_name);
    throw PythonError{};
}

PyObject* kernel_vectorcall(PyObject* self, PyObject* const* arguments, std::size_t nargsf, PyObject* keywords) {
    try {
        auto positional = static_cast<std::size_t>(PyVectorcall_NARGS(nargsf));
        if (PyObject* recorder = recorder_of_this_thread())
            return record(recorder, self, arguments, positional, keywords);
        return call(compiled(self), self, arguments, positional, keywords);
    } catch (...) {
        eagle::python::set_python_error();
        return nullptr;
    }
}

PyObject* kernel_new(PyTypeObject* type, PyObject*, PyObject*) {
    PyObject* object = PyType_GenericAlloc(type, 0);
    if (object == nullptr) return nullptr;
    self_of(object)->vectorcall = kernel_vectorcall;
    return object;
}

void kernel_dealloc(PyObject* object) {
    PyTypeObject* type = Py_TYPE(object);
    Py_XDECREF(self_of(object)->program_object.exchange(nullptr));
    type->tp_free(object);
    Py_DECREF(reinterpret_cast<PyObject*>(type));
}

PyObject* kernel_install(PyObject* object, PyObject* program_object) {
    const Program* program = program_of(program_object);
    if (program == nullptr)
        return PyErr_Format(PyExc_TypeError, "_install() got %s; it needs a hawk._native.Program",
                            Py_TYPE(program_object)->tp_name);
    // The first one stays: a call may be inside it, and threads that compile at once bring equal ones.
    PyObject* none = nullptr;
    Py_INCREF(program_object);
    if (self_of(object)->program_object.compare_exchange_strong(none, program_object))
        self_of(object)->program.store(program, std::memory_order_release);
    else
        Py_DECREF(program_object);
    Py_RETURN_NONE;
}

PyObject* kernel_program(PyObject* object, void*) {
    PyObject* program = self_of(object)->program_object.load();
    if (program == nullptr) Py_RETURN_NONE;
    Py_INCREF(program);
    return program;
}

// CPython 3.11 does not hand the vectorcall flag on to classes written in Python; their calls would go through a tuple
// and a dict.
PyObject* kernel_init_subclass(PyObject* cls, PyObject*, PyObject* keywords) {
    if (keywords != nullptr && PyDict_Size(keywords) != 0)
        return PyErr_Format(PyExc_TypeError, "a subclass of hawk._native.Kernel takes no class keywords");
#if PY_VERSION_HEX < 0x030C0000
    auto* type = reinterpret_cast<PyTypeObject*>(cls);
    if (type->tp_call == PyVectorcall_Call && type->tp_vectorcall_offset == offsetof(KernelObject, vectorcall))
        type->tp_flags |= Py_TPFLAGS_HAVE_VECTORCALL;
#else
    (void)cls;
#endif
    Py_RETURN_NONE;
}

PyMemberDef members[] = {
    {"__vectorcalloffset__", Py_T_PYSSIZET, offsetof(KernelObject, vectorcall), Py_READONLY, nullptr},
    {nullptr, 0, 0, 0, nullptr}};

PyGetSetDef properties[] = {
    {"_program", kernel_program, nullptr, "The installed Program, or None before the first call.", nullptr},
    {nullptr, nullptr, nullptr, nullptr, nullptr}};

PyMethodDef methods[] = {
    {"_install", kernel_install, METH_O, "_install(program): what calls run from now on. The first one stays."},
    {"__init_subclass__", reinterpret_cast<PyCFunction>(reinterpret_cast<void (*)()>(kernel_init_subclass)),
     METH_CLASS | METH_VARARGS | METH_KEYWORDS, nullptr},
    {nullptr, nullptr, 0, nullptr}};

PyType_Slot slots[] = {
    {Py_tp_doc, const_cast<char*>("A compiled kernel. Subclass it and define _compile(), which calls _install().")},
    {Py_tp_new, reinterpret_cast<void*>(kernel_new)},
    {Py_tp_dealloc, reinterpret_cast<void*>(kernel_dealloc)},
    {Py_tp_call, reinterpret_cast<void*>(PyVectorcall_Call)},
    {Py_tp_members, members},
    {Py_tp_getset, properties},
    {Py_tp_methods, methods},
    {0, nullptr}};

}  // namespace

PyObject* make_kernel_type(const std::string& module_name) {
    static std::string name;  // a type may point to its name for as long as it lives
    name = module_name + ".Kernel";
    PyType_Spec spec = {name.c_str(), sizeof(KernelObject), 0,
                        Py_TPFLAGS_DEFAULT | Py_TPFLAGS_BASETYPE | Py_TPFLAGS_HAVE_VECTORCALL, slots};
    return PyType_FromSpec(&spec);
}
void set_program_of(ProgramOf function) { program_of = function; }

}  // namespace hawk::native
