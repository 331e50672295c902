import hawk
from hawk import Param, Scalar


@hawk.kernel
def scale(x: Scalar, a: Param) -> Scalar:
    return a * x


hawk.build(scale, "kernels", targets=("host", "zzz"))
