// From a description to the backend that runs it.
#include <eagle/BuiltGraph.h>
#include <eagle/Error.h>

#include <optional>
#include <string>
#include <utility>

#include "graph/Residency.h"

namespace eagle {

namespace {

std::string kind_for(std::string_view wanted, const std::optional<graph::Device>& device) {
    if (!wanted.empty()) return named_kind(wanted);
    return device && !device->host() ? kind_of_device_type(device->type) : host_kind();
}

}  // namespace

BuiltGraph build(std::shared_ptr<const GraphDescription> description, std::string_view kind,
                 const LowerOptions& options) {
    if (!description) throw InvalidArgument("eagle: no description was given to build(); it needs a finished one");
    description->check_complete();
    const auto device = graph::residency(*description);
    const Backend backend = Backend::load(kind_for(kind, device));
    const std::int32_t ordinal = device && !device->host() ? device->id : 0;
    return lower(std::move(description), Executor(backend, ordinal), options);
}

}  // namespace eagle
