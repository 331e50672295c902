"""What the language does not have is refused with file, line, construct and what to write instead."""

import functools
import math

import numpy as np
import pytest
from hawk_oracle import define

import hawk

HEAD = "def f(x: Scalar, n: Index, k: Param[Index], a: Param, v: Vector[3], y: Mutable[Scalar], done: Terminated):\n"

# Statements of a kernel with HEAD; the line of the mistake counted from the def; words of the message.
STATEMENTS = [
    ("while x > 0:\n    y = 1", 2, ["`while`", "Terminated"]),
    ("for i in range(3):\n    if x > i:\n        break", 4, ["`break`", "under an `if`", "a function of its own"]),
    ("for i in range(3):\n    continue", 3, ["`continue`"]),
    ("assert x > 0", 2, ["`assert`", "before the call"]),
    ("raise ValueError", 2, ["`raise`", "NaN"]),
    ("try:\n    y = x\nexcept ValueError:\n    pass", 2, ["`try`", "`if`"]),
    ("with x:\n    y = 1", 2, ["`with`"]),
    ("del x", 2, ["`del`"]),
    ("import math", 2, ["`import`", "outside the kernel"]),
    ("def g(x):\n    return x\ny = g(x)", 2, ["a function within a function", "outside the kernel"]),
    ("class A:\n    pass", 2, ["a class"]),
    ("match n:\n    case 1:\n        y = 1", 2, ["`match`", "elif"]),
    ("global y2\ny2 = x", 2, ["`global`", "Mutable"]),
    ("y = x if x > 0 else v", 2, ["a real number", "a vector of 3", "same kind"]),
    (
        "for i in range(n):\n    y = i",
        2,
        ["a bound of the range is an integer,", "constant is needed", "an `if` inside"],
    ),
    ("for i in range(3):\n    y = i\nelse:\n    y = 2", 2, ["`else`", "after the loop"]),
    ("for i in range(5000):\n    y = y + i", 2, ["5000 iterations", "4096"]),
    ("for i in x:\n    y = i", 2, ["a real number has no elements"]),
    ("y = lambda: x", 2, ["a lambda", "`def`"]),
    ("y = [i for i in range(3)][0]", 2, ["a comprehension", "`for`"]),
    ("y = max(i for i in range(3))", 2, ["a generator"]),
    ("y = sum((x, x))", 2, ["`sum`", "a loop"]),
    ("y = np.random.rand()", 2, ["`rand`", "a plane of numbers that the caller draws"]),
    ("y = np.dot(v, v)", 2, ["`dot`", "products added"]),
    ("y = np.linalg.norm(v)", 2, ["`norm`", "sqrt of the squares"]),
    ("y = np.array((x, x))[0]", 2, ["`array`", "hawk.vector(a, b)"]),
    ("y = {1: x}[1]", 2, ["a dict outside `return`"]),
    ("y = f'{x}'", 2, ["a string"]),
    ("y = (z := x)", 2, ["`:=`", "statement of its own"]),
    ("y = 1j * x", 2, ["complex", "two reals"]),
    ("y = 'a'", 2, ["str 'a'", "a number is needed"]),
    ("y = x\nprint(x)", 3, ["`print` cannot be called", "an output plane"]),
    ("y = x\nabs(x)", 3, ["not used", "leave it out"]),
    ("y = print(x)", 2, ["`print`", "an output plane"]),
    ("y = missing + x", 2, ["`missing`", "not defined when the kernel is decorated", "define it above"]),
    ("if x > 0:\n    z = 1.0\ny = z", 4, ["`z`", "line 2", "true"]),
    ("if x > 0:\n    pass\nelse:\n    z = 1.0\ny = z", 6, ["`z`", "line 2", "false"]),
    ("if x > 0:\n    z = 1.0\nelse:\n    z = v\ny = z", 6, ["`z`", "a vector of 3", "the constant 1.0"]),
    ("y = z\nz = 1", 2, ["`z`", "no value yet"]),
    ("x = 2 * x\ny = x", 2, ["`x`", "declared Scalar", "Mutable[Scalar]"]),
    ("a = 1.0\ny = a", 2, ["`a`", "declared Param"]),
    ("v[0] = 1.0\ny = x", 2, ["`v`", "declared Vector"]),
    ("y = v", 2, ["the value of `y`", "a vector of 3"]),
    ("y = v[3]", 2, ["index 3", "-3 to 2"]),
    ("y = v[-4]", 2, ["index -4"]),
    ("y = v[n]", 2, ["an index is an integer", "constant"]),
    ("y = v[1.0]", 2, ["an index is the constant 1.0"]),
    ("y = v[2:1][0]", 2, ["slice is empty"]),
    ("y = v[::0][0]", 2, ["step of a slice is 0"]),
    ("y = x[0]", 2, ["a real number has no elements"]),
    ("y = x.real", 2, ["has no attributes"]),
    ("y = v.x", 2, ["has no attributes", "index it"]),
    ("y = (v + hawk.vector(x, x))[0]", 2, ["2 and 3 components"]),
    ("y = ((x, x) + (x, x))[0]", 2, ["tuples have no arithmetic", "hawk.vector"]),
    ("if v > v:\n    y = 1", 2, ["compare components"]),
    ("if v:\n    y = 1", 2, ["the condition is a vector of 3"]),
    ("y = x in (1, 2)", 2, ["`in`"]),
    ("y = 1 if x is n else 2", 2, ["`is`", "`==`"]),
    ("y = 1 if x and n > 1 else 2", 2, ["`and` and `or` take conditions", "compare it with 0"]),
    ("y = n & 1", 2, ["take bools"]),
    ("y = ~n", 2, ["`not`"]),
    ("y = n << 2", 2, ["this operator"]),
    ("y = v @ v", 2, ["this operator"]),
    ("y = n // 0", 2, ["the constant 0"]),
    ("y = n ** k", 2, ["integer power", "float"]),
    ("y = 10000000000000000000 * n", 2, ["int64"]),
    ("y = 10**20 * x", 2, ["10 ** 20", "outside int64", "1e20"]),
    ("y = x * (2**62 + 2**62)", 2, ["outside int64"]),
    ("y = math.sqrt(x, x)", 2, ["`sqrt` has 2 arguments", "give it 1"]),
    ("y = math.sqrt()", 2, ["`sqrt` has 0 arguments"]),
    ("y = math.atan2(y=x, x=x)", 2, ["takes no names"]),
    ("y = math.tan(x)", 2, ["`tan`", "sin(x) / cos(x)"]),
    ("y = np.clip(x, 0, 1)", 2, ["`clip`", "min(max(x, low), high)"]),
    ("y = hawk.math.tan(x)", 2, ["has no `tan`", "sin(x) / cos(x)"]),
    ("y = math.nothing(x)", 2, ["module `math` has no `nothing`; use what hawk.math lists"]),
    ("y = math.asin(x)", 2, ["`asin`", "atan2(x, sqrt((1 - x) * (1 + x)))"]),
    ("y = np.arccos(x)", 2, ["`arccos`", "atan2(sqrt((1 - x) * (1 + x)), x)"]),
    ("y = math.gamma(x)", 2, ["`gamma` cannot be called", "write a function with `def`"]),
    ("y = np.linalg.norm(v)", 2, ["`norm`"]),
    ("y = x(1)", 2, ["a real number is called"]),
    ("y = int(v)", 2, ["the argument is a vector"]),
    ("y = float('one')", 2, ["float('one')"]),
    ("y = max()", 2, ["of nothing"]),
    ("y = hawk.vector()[0]", 2, ["no components"]),
    ("for p, q in zip(v, (1, 2), strict=True):\n    y = p", 2, ["3 and 2 elements", "one length"]),
    ("for p in zip(v, start=1):\n    y = p[0]", 2, ["`zip` is given `start`"]),
    ("y = len(x)", 2, ["has no elements"]),
    ("y, z = x, x, x", 2, ["3 values for 2 names"]),
    ("y, *z = x, x, x", 2, ["`*` in unpacking"]),
    ("y = recursive(x)", None, ["calls itself", "a loop"]),
    ("y = two(x)", 2, ["`two` needs `b`"]),
    ("y = two(x, x, x)", 2, ["takes 2 arguments, 3 are given"]),
    ("y = two(x, c=x)", 2, ["no argument `c`"]),
    ("y = two(x, a=x)", 2, ["given twice"]),
    ("y = star(x)", 2, ["`*` or `**` arguments"]),
    ("y = partly(x)", 8, ["returns a value on some ways only"]),
    ("y = nothing(x)", 2, ["is None"]),
    ("y = part(x)", 2, ["partial", "write a function with `def`"]),
    ("done = x", 2, ["`done` is set to a real number", "condition"]),
    ("done = x > 0\ndone = x > 1", 3, ["second time", "`or`"]),
    ("y = config['a']", 2, ["dict", "cannot be indexed"]),
    ("y.z = 1.0", 2, ["cannot be assigned to"]),
    ("v[0:1] = x", 2, ["a slice is assigned to"]),
    ("t = (x, x)\nt[0] = x", 3, ["a tuple of 2", "components of vectors"]),
    ("math = 1.0\ny = math.sqrt(x)", 3, ["has no attributes"]),
    ("y = math.nothing(x)", 2, ["module `math` has no `nothing`; use what hawk.math lists"]),
    ("y = hostile.part", 2, ["`hostile.part`", "reading it raises RuntimeError: no part"]),
    ("y = 1.0 if hostile == hostile else 2.0", 2, ["comparing raises ValueError: no order", "outside the kernel"]),
    ("y = 1.0 if matrix == matrix else 2.0", 2, ["ndarray", "is compared with", "outside the kernel"]),
    ("y = x + hostile", 2, ["an object of Hostile", "a number is needed"]),
    ("y = hostile(x)", 2, ["`Hostile` cannot be called"]),
]


def recursive(x):
    return recursive(x - 1)


def two(a, b):
    return a + b


def star(*args):
    return args[0]


def nothing(x):
    pass


class Hostile:
    """Raises from whatever is asked of it."""

    def __getattr__(self, name):
        raise RuntimeError(f"no {name}")

    def __eq__(self, other):
        raise ValueError("no order")

    def __repr__(self):
        raise OSError("no text")

    __hash__ = object.__hash__


NAMES = {
    "hostile": Hostile(),
    "matrix": np.eye(2),
    "math": math,
    "np": np,
    "recursive": recursive,
    "two": two,
    "star": star,
    "nothing": nothing,
    "partly": define("\n\n\n\n\n\n\ndef partly(x):\n    if x > 0:\n        return x\n", "partly"),
    "part": functools.partial(two, 1),
    "config": {"a": 1.0},
}


@pytest.mark.parametrize(("body", "line", "words"), STATEMENTS, ids=[entry[0][:40] for entry in STATEMENTS])
def test_statement(body, line, words):
    indented = "".join(f"    {row}\n" for row in body.split("\n"))
    function = define(HEAD + indented, **NAMES)
    with pytest.raises(hawk.HawkError) as caught:
        hawk.kernel(function)
    message = str(caught.value)
    for word in words:
        assert word in message
    assert f":{caught.value.line}: " in message and caught.value.file in message
    assert line in (None, caught.value.line)
    assert caught.value.construct


KERNELS = [
    ("def f(x):\n    return x", ["`x` is not declared", "Scalar"]),
    ("def f(x: float) -> Scalar:\n    return x", ["`x` is declared <class 'float'>", "Scalar"]),
    ("def f(x: 'Missing') -> Scalar:\n    return x", ["`Missing`", "cannot be evaluated", "import the name"]),
    ("def f(x: Vector) -> Scalar:\n    return x", ["`x` is declared Vector", "Vector[w]"]),
    ("def f(x: Mutable):\n    x = 1", ["`x` is declared Mutable", "Mutable[...]"]),
    ("def f(x: Scalar, *more):\n    return x", ["`*more`"]),
    ("def f(x: Scalar, **more):\n    return x", ["`*more`"]),
    ("def f(x: Scalar, a: Param = 1.0):\n    return x", ["default"]),
    ("def f(__x: Scalar):\n    return __x", ["two underscores"]),
    ("def f(x: Scalar):\n    return {'__steps': x}", ["`__steps`", "two underscores"]),
    ("def f(n_samples: Scalar):\n    return n_samples", ["`n_samples`", "number of samples", "another name"]),
    ("def f(x: Scalar):\n    return {'n_samples': x}", ["`n_samples`", "number of samples", "another name"]),
    ("def f(x: Scalar, p: Terminated, q: Terminated):\n    p = x > 0", ["p and q", "one mask"]),
    ("def f(x: Scalar):\n    y = x", ["writes nothing"]),
    ("def f(x: Scalar, y: Mutable[Scalar], z: Mutable[Scalar]):\n    y = x", ["`z`", "never assigned", "Scalar"]),
    ("def f(x: Scalar) -> Scalar:\n    y = x", ["some ways only"]),
    ("def f(x: Scalar) -> Scalar:\n    if x > 0:\n        return x", ["some ways only"]),
    ("def f(x: Scalar) -> float:\n    return x", ["`out` is declared <class 'float'>"]),
    ("def f(x: Scalar) -> Vector[2]:\n    return x", ["a vector of 2", "a real number"]),
    ("def f(x: Scalar) -> Index:\n    return x", ["holds integers", "int(...)"]),
    ("def f(x: Scalar):\n    return x > 0", ["`out` is a bool", "1 if ... else 0"]),
    ("def f(x: Scalar):\n    return {'x': x}", ["name of an argument"]),
    ("def f(x: Scalar):\n    return {'a b': x}", ["no name"]),
    ("def f(x: Scalar):\n    return {x: x}", ["no name"]),
    ("def f(x: Scalar) -> {'a': Scalar}:\n    return {'b': x}", ["returns b", "says a"]),
    ("def f(x: Scalar) -> (Scalar, Scalar):\n    return x", ["returns out", "says out0, out1"]),
    ("def f(x: Scalar):\n    if x > 0:\n        return x\n    return x, x", ["returned value"]),
    ("def f(x: Scalar, i: Mutable[Index]):\n    i = x", ["`i` holds integers", "int(...)"]),
    ("async def f(x: Scalar):\n    return x", ["async def f"]),
    ("def θ(x: Scalar):\n    return x", ["`θ`", "ASCII", "name='...'"]),
    ("def _f(x: Scalar):\n    return x", ["`_f`", "after a letter"]),
]


@pytest.mark.parametrize(("source", "words"), KERNELS, ids=[entry[0][:50] for entry in KERNELS])
def test_kernel(source, words):
    name = source.split("(")[0].split()[-1]
    with pytest.raises(hawk.HawkError) as caught:
        hawk.kernel(define(source, name))
    for word in words:
        assert word in str(caught.value)
    assert caught.value.line is not None and caught.value.file is not None


@pytest.mark.parametrize("width", [0, -1, 65, 2.0, True, "3"])
def test_width_of_a_vector(width):
    with pytest.raises(ValueError, match="from 1 to 64"):
        hawk.Vector[width]


def test_kinds_of_declarations():
    with pytest.raises(ValueError, match=r"Mutable\[Scalar\], Mutable\[Index\], Mutable\[Vector\[w\]\] or a Quantity"):
        hawk.Mutable[hawk.Param]
    with pytest.raises(ValueError, match=r"Param\[Index\]"):
        hawk.Param[float]


def test_a_lambda():
    with pytest.raises(hawk.HawkError, match="lambda cannot be compiled: write it as a function with `def`"):
        hawk.kernel(lambda x: x)


def test_what_is_no_function():
    with pytest.raises(hawk.HawkError, match="a Python function is needed"):
        hawk.kernel(3)
    with pytest.raises(hawk.HawkError, match="a Python function is needed"):
        hawk.kernel(math.sin)


def test_a_function_without_source():
    scope = {"Scalar": hawk.Scalar}
    exec("def f(x: Scalar):\n    return x\n", scope)
    with pytest.raises(hawk.HawkError, match=r"its source cannot be read.*linecache"):
        hawk.kernel(scope["f"])


@pytest.mark.parametrize("name", [3, "a b", "../x", "a" * 129])
def test_a_name_that_is_no_name_of_a_file(name):
    with pytest.raises(hawk.HawkError, match="ASCII letters, digits and `_` after a letter, at most 128"):
        hawk.kernel(name=name)(define("def f(x: Scalar):\n    return x"))


def test_dtype():
    with pytest.raises(hawk.HawkError, match="'float16': use 'float64' or 'float32'"):
        hawk.kernel(dtype="float16")(two)


def test_a_refusal_in_a_helper_says_who_called():
    helper = define("\n\ndef helper(x):\n    while x > 0:\n        x -= 1\n    return x\n", "helper")
    function = define("def f(x: Scalar) -> Scalar:\n    return helper(x)\n", helper=helper)
    with pytest.raises(hawk.HawkError, match="`while`") as caught:
        hawk.kernel(function)
    assert caught.value.line == 4
    assert caught.value.__notes__ == [f"called from {function.__code__.co_filename}:2"]


def test_too_many_operations():
    source = """
    def f(x: Scalar) -> Scalar:
        y = x
        for i in range(4000):
            for j in range(20):
                y = y * x + i * j
        return y
    """
    with pytest.raises(hawk.HawkError, match="more than 50000 operations"):
        hawk.kernel(define(source))


def test_nesting_that_python_itself_bears_is_refused_in_words():
    rows = ["def f(x: Scalar) -> Scalar:", "    y = x"]
    chain = "-" * 900 + "x"
    with pytest.raises(hawk.HawkError, match="nested too deeply: split it"):
        hawk.kernel(define("\n".join([*rows, f"    y = {chain}", "    return y"])))


def test_the_error_pickles():
    import pickle

    with pytest.raises(hawk.HawkError) as caught:
        hawk.kernel(define("def f(x: Scalar):\n    assert x\n    return x\n"))
    copy = pickle.loads(pickle.dumps(caught.value))
    assert str(copy) == str(caught.value)
    assert (copy.line, copy.file, copy.construct) == (2, caught.value.file, caught.value.construct)
