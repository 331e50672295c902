/* Every symbol of the seam but the required ones, which zoo.c has. Nobody calls them. */
#include <stdint.h>

/* clang-format off */
#define ZOO_NO(name)
#define ZOO_YES(name) __attribute__((visibility("default"))) int32_t eagle_backend_##name(void); int32_t eagle_backend_##name(void) { return 8; }
/* clang-format on */

#define ZOO_core ZOO_NO
#define ZOO_stream ZOO_YES
#define ZOO_capturer ZOO_YES
#define ZOO_captured ZOO_YES
#define ZOO_fork ZOO_YES
#define ZOO_conditional ZOO_YES
#define ZOO_attribution ZOO_YES
#define ZOO_graph ZOO_YES
#define ZOO_launcher ZOO_YES
#define ZOO_exec ZOO_YES
#define ZOO_device ZOO_YES
#define ZOO_interop ZOO_YES
#define ZOO_filtering ZOO_YES
#define ZOO_none ZOO_YES
#define ZOO_sdk ZOO_YES

#define EAGLE_SYMBOL(group, name, since, bound) ZOO_##group(name)
#include <eagle/seam/symbols.def>
