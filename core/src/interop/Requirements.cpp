// What an array must be, and the clauses of a refusal.
#include <eagle/Backend.h>
#include <eagle/Error.h>
#include <eagle/Interop.h>
#include <eagle/marshal/ShapeText.h>

#include <span>

namespace eagle {
namespace {

std::string type_text(std::int32_t device_type) {
    std::string text = "DLPack device type " + std::to_string(device_type);
    try {
        return text + " (" + kind_of_device_type(device_type) + ")";
    } catch (const BackendUnavailable&) {
        return text;
    }
}

std::string clause(const std::string& property, const std::string& found, const std::string& needed) {
    return property + " is " + found + ", needed is " + needed;
}

std::span<const std::int64_t> extents(const ArrayView& view) {
    return {view.shape.data(), static_cast<std::size_t>(view.ndim)};
}

bool has_shape(const ArrayView& view, std::span<const std::int64_t> needed) {
    const auto found = extents(view);
    if (found.size() != needed.size()) return false;
    for (std::size_t i = 0; i < found.size(); ++i)
        if (found[i] != needed[i]) return false;
    return true;
}

std::string strides_text(const ArrayView& view) {
    return "strided by " + shape_text({view.strides.data(), static_cast<std::size_t>(view.ndim)}) + " bytes";
}

// The largest power of two that divides the address.
std::string alignment_text(const void* data) {
    const auto address = reinterpret_cast<std::uintptr_t>(data);
    return std::to_string(address & (~address + 1)) + " bytes";
}

bool is_aligned(const ArrayView& view, std::int64_t alignment) {
    return alignment <= 1 || reinterpret_cast<std::uintptr_t>(view.data) % static_cast<std::uintptr_t>(alignment) == 0;
}

void layout_clauses(const ArrayView& view, const Requirements& needed, std::vector<std::string>& clauses) {
    if (needed.dtype && !(view.type == *needed.dtype))
        clauses.push_back(clause("dtype", element_type_name(view.type), element_type_name(*needed.dtype)));
    if (needed.count && view.size() != *needed.count)
        clauses.push_back(clause("count", std::to_string(view.size()), std::to_string(*needed.count)));
    if (needed.shape && !has_shape(view, *needed.shape))
        clauses.push_back(clause("shape", shape_text(extents(view)), shape_text(*needed.shape)));
    if (needed.contiguous && !is_contiguous(view))
        clauses.push_back(clause("layout", strides_text(view), "dense and row-major"));
    if (!is_aligned(view, needed.alignment))
        clauses.push_back(clause("alignment", alignment_text(view.data), std::to_string(needed.alignment) + " bytes"));
}

void place_clauses(const ArrayView& view, Access access, const Requirements& needed,
                   std::vector<std::string>& clauses) {
    if (needed.device_type && view.device_type != *needed.device_type)
        clauses.push_back(clause("device", type_text(view.device_type), type_text(*needed.device_type)));
    if (needed.device_id && view.device_id != *needed.device_id)
        clauses.push_back(clause("device_id", std::to_string(view.device_id), std::to_string(*needed.device_id)));
    if (needed.writable && access != Access::read_write)
        clauses.push_back(clause("access", std::string(access_name(access)), "read-write"));
}

}  // namespace

std::string_view access_name(Access access) {
    switch (access) {
        case Access::read_write:
            return "read-write";
        case Access::read_only:
            return "read-only";
        case Access::unknown:
            break;
    }
    return "unknown";
}

std::optional<ElementType> element_type_from_name(std::string_view name) {
    for (const TypeCode code : {TypeCode::integer, TypeCode::unsigned_integer, TypeCode::floating, TypeCode::bfloat,
                                TypeCode::complex, TypeCode::boolean})
        for (const int bits : {8, 16, 32, 64, 128}) {
            const ElementType type{code, static_cast<std::uint8_t>(bits), 1, false};
            if (element_type_name(type) == name) return type;
        }
    return std::nullopt;
}

bool is_contiguous(const ArrayView& view) {
    if (view.size() == 0) return true;
    std::int64_t step = view.type.bits / 8 * view.type.lanes;
    for (std::size_t i = static_cast<std::size_t>(view.ndim); i-- > 0;) {
        if (view.shape[i] != 1 && view.strides[i] != step) return false;
        step *= view.shape[i];
    }
    return true;
}

std::vector<std::string> unmet(const ArrayView& view, Access access, const Requirements& needed) {
    std::vector<std::string> clauses;
    layout_clauses(view, needed, clauses);
    place_clauses(view, access, needed, clauses);
    return clauses;
}

void require(const ArrayView& view, Access access, const Requirements& needed, std::string_view what) {
    if (needed.alignment < 0)
        throw InvalidArgument("the alignment required is " + std::to_string(needed.alignment) +
                              " bytes; it must be at least 0");
    const std::vector<std::string> clauses = unmet(view, access, needed);
    if (clauses.empty()) return;
    std::string text = std::string(what) + " does not meet what is required: ";
    for (std::size_t i = 0; i < clauses.size(); ++i) text += (i == 0 ? "" : "; ") + clauses[i];
    throw BufferRefused(text + ". Pass an array that does, or convert or copy this one first");
}

}  // namespace eagle
