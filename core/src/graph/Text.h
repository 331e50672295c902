// Words that refusals share.
#pragma once
#include <eagle/Error.h>
#include <eagle/graph/Node.h>

#include <string>
#include <string_view>
#include <utility>

namespace eagle::graph {

__extension__ typedef __int128 Wide;  // holds every sum of offsets and strides

std::string in_quotes(std::string_view name);
std::string array_text(const Plane& plane);   // "float64[8, 3]"
std::string plane_text(const Plane& plane);   // "plane 'x' (float64[8, 3], host memory, heat.py:3)"
std::string node_text(const Node& node);      // "node 'step' (heat.py:9)"
std::string bytes_text(std::uint64_t bytes);  // "1 byte", "24 bytes"

template <class E>
[[noreturn]] void refuse(const SourceLine& where, const std::string& text) {
    throw E(where.text() + ": " + text);
}

// Runs `work`; what it refuses is refused in its own class, with the line and `what` before its words.
template <class Work>
auto at_line(const SourceLine& where, const std::string& what, Work&& work) {
    const std::string before = where.text() + ": " + what + ": ";
    try {
        return std::forward<Work>(work)();
    } catch (const LayoutError& e) {
        throw LayoutError(before + e.what());
    } catch (const BufferRefused& e) {
        throw BufferRefused(before + e.what());
    } catch (const InvalidArgument& e) {
        throw InvalidArgument(before + e.what());
    } catch (const ArgumentError& e) {
        throw ArgumentError(before + e.what());
    } catch (const DivisionFault& e) {
        throw DivisionFault(before + e.what(), e.overflow());
    } catch (const IndexError& e) {
        throw IndexError(before + e.what());
    } catch (const OutOfMemory& e) {
        throw OutOfMemory(before + e.what());
    } catch (const BackendUnavailable& e) {
        throw BackendUnavailable(before + e.what());
    } catch (const Unsupported& e) {
        throw Unsupported(before + e.what());
    } catch (const BadHandle& e) {
        throw BadHandle(before + e.what());
    }
}

}  // namespace eagle::graph
