#include <eagle/Artifact.h>

#include <algorithm>

#include "artifact/Json.h"
#include "artifact/ReadFile.h"

namespace eagle {
namespace {

namespace fs = std::filesystem;

// One folder is one program: its kernels are planned alike.
void check_shared(const fs::path& folder, const Manifest& manifest, const PluginRecord& record,
                  const Sidecar& sidecar) {
    const std::string where = (folder / record.sidecar).string();
    auto differ = [&](const char* key, const std::string& found, const std::string& needed) {
        throw InvalidArgument(where + ": '" + key + "' of kernel '" + sidecar.signature.kernel + "' is '" + found +
                              "', the manifest says '" + needed + "' for every kernel of the folder");
    };
    if (sidecar.schema_version != manifest.schema_version)
        differ("schema_version", std::to_string(sidecar.schema_version), std::to_string(manifest.schema_version));
    if (sidecar.exec_access != manifest.exec_access && sidecar.pattern != "neural_block")
        differ("exec_access", sidecar.exec_access, manifest.exec_access);
    if (sidecar.exec_op != manifest.exec_op && sidecar.pattern != "neural_block")
        differ("exec_op", sidecar.exec_op, manifest.exec_op);
}

// A folder without a manifest is most often a path that was meant otherwise.
void check_there(const fs::path& manifest) {
    std::error_code code;
    if (fs::status(manifest, code).type() != fs::file_type::not_found) return;
    throw Error("cannot read '" + manifest.string() + "': " + code.message() +
                "; an artifact is a folder with manifest.json in it, such as hawk.build writes");
}

}  // namespace

Artifact Artifact::load(const fs::path& folder) {
    Artifact out;
    std::error_code ignored;
    out.folder_ = fs::absolute(folder, ignored);
    const fs::path manifest = out.folder_ / "manifest.json";
    check_there(manifest);
    out.manifest_ = Manifest::parse(artifact::read_file(manifest, artifact::max_json_bytes), manifest.string());
    for (const PluginRecord& record : out.manifest_.plugins) {
        Sidecar sidecar;
        if (record.enabled) {
            const fs::path path = artifact::file_of_folder(out.folder_, record.sidecar);
            artifact::file_of_folder(out.folder_, record.artifact);
            sidecar = Sidecar::parse(artifact::read_file(path, artifact::max_json_bytes), path.string());
            check_shared(out.folder_, out.manifest_, record, sidecar);
        }
        out.sidecars_.push_back(std::move(sidecar));
    }
    return out;
}

std::vector<std::string> Artifact::kernels() const {
    std::vector<std::string> out;
    for (std::size_t i = 0; i < sidecars_.size(); ++i) {
        const std::string& name = sidecars_[i].signature.kernel;
        if (manifest_.plugins[i].enabled && std::find(out.begin(), out.end(), name) == out.end()) out.push_back(name);
    }
    return out;
}

}  // namespace eagle
