// Where an array lies, as refusals say it.
#pragma once
#include <eagle/Device.h>
#include <eagle/marshal/ArrayView.h>

#include <string>

namespace eagle {

// "the host", "cuda:0", or "DLPack device type 77, number 0" of a type that no backend here serves.
inline std::string place_text(const ArrayView& array) {
    return array.device_type == 1 ? "the host" : device_name(array.device_type, array.device_id);
}

}  // namespace eagle
