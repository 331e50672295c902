#include "Handmade.h"

#include <unistd.h>

#include <cstdlib>
#include <fstream>

namespace handmade {

namespace fs = std::filesystem;
using nlohmann::json;

fs::path binary(const std::string& name) { return fs::path(EAGLE_HANDMADE_DIR) / (name + ".so"); }
fs::path example() { return EAGLE_HANDMADE_EXAMPLE; }

namespace {

json base(const std::string& kernel) {
    return {{"format", "host"},
            {"schema_version", 2},
            {"pattern", "vector"},
            {"aether_abi", "aether-abi/2"},
            {"exec_targets", {"host"}},
            {"exec_access", "sample_local"},
            {"scalar_type", "float64"},
            {"kernel", kernel},
            {"params", json::array()},
            {"params_schema", 2},
            {"mutables", json::array()},
            {"arg_spec", json::array()},
            {"terminated_readonly", false},
            {"entries", {{"host", {{"step", kernel + "_step"}}}}}};
}

json param(const std::string& name) { return {{"name", name}, {"dtype", "float"}}; }
json mutable_plane(const std::string& name, const std::string& dtype) {
    return {{"name", name}, {"dtype", dtype}, {"width", 1}, {"default", 0}, {"prior", true}};
}
json spec(std::initializer_list<std::pair<const char*, const char*>> arguments) {
    json out = json::array();
    for (const auto& [role, name] : arguments) out.push_back(json::array({role, name}));
    return out;
}

}  // namespace

namespace {
// One plane in, one out, two numbers.
json affine(const std::string& kernel) {
    json out = base(kernel);
    out["params"] = {param("a"), param("b")};
    out["arg_spec"] = spec({{"out", "out"}, {"per_sample", "x"}, {"uniform", "a"}, {"uniform", "b"}});
    return out;
}
}  // namespace

json scale() { return affine("scale"); }
json slow() { return affine("slow"); }

json counter(bool run) {
    json out = base("counter");
    out["params"] = {param("a"), param("b")};
    out["mutables"] = {mutable_plane("__control", "int"), mutable_plane("__next", "int"),
                       mutable_plane("__steps", "int"), mutable_plane("n", "int"), mutable_plane("x", "scalar")};
    out["arg_spec"] = spec({{"mutable", "__control"},
                            {"mutable", "__next"},
                            {"mutable", "__steps"},
                            {"mutable", "n"},
                            {"mutable", "x"},
                            {"per_sample", "fault_at"},
                            {"per_sample", "limit"},
                            {"terminated", "done"},
                            {"uniform", "a"},
                            {"uniform", "b"}});
    out["finish"] = {{"mask", "done"}};
    if (run) out["entries"]["host"]["run"] = "counter_run";
    return out;
}

json drift() {
    json out = base("drift");
    out["params"] = {param("dt")};
    out["mutables"] = {mutable_plane("x", "scalar")};
    out["arg_spec"] = spec({{"mutable", "x"}, {"per_sample", "v"}, {"terminated", "done"}, {"uniform", "dt"}});
    out["terminated_readonly"] = true;
    return out;
}

json check() {
    json out = base("check");
    // The planes that the loader supplies may be left out of `mutables`: their names say what they are.
    out["arg_spec"] = spec({{"mutable", "__control"},
                            {"mutable", "__next"},
                            {"mutable", "__steps"},
                            {"per_sample", "limit"},
                            {"per_sample", "x"},
                            {"terminated", "done"}});
    out["finish"] = {{"mask", "done"}};
    return out;
}

json prefix() {
    json out = base("prefix");
    out["exec_access"] = "cross_sample_write";
    out["mutables"] = {mutable_plane("x", "scalar")};
    out["arg_spec"] = spec({{"mutable", "x"}});
    return out;
}

json moments(const std::string& operation) {
    json out = base("moments");
    out["exec_access"] = "mapreduce";
    out["exec_op"] = operation;
    out["arg_widths"] = {{"moment", 2}};
    out["arg_dtypes"] = {{"count", "int64"}};
    out["arg_spec"] = spec({{"out", "count"}, {"out", "moment"}, {"per_sample", "x"}, {"terminated", "done"}});
    out["terminated_readonly"] = true;
    return out;
}

json neural_block() {
    return {{"forward_exec", {{"kind", "kernel"}, {"kernel", "dense_forward"}}},
            {"vjp_exec", {{"kind", "kernel"}, {"kernel", "dense_vjp"}}},
            {"schema_version", 2},
            {"pattern", "neural_block"},
            {"kernel", "dense"},
            {"scalar_type", "float32"},
            {"arg_spec", json::array()},
            {"in_degree", 1},
            {"out_degree", 1},
            {"input_width", 4},
            {"output_width", 2},
            {"state_width", 6},
            {"param_width", 0},
            {"scatter_policy", "unique_write"}};
}

json version_one(json sidecar) {
    sidecar["schema_version"] = 1;
    sidecar["aether_abi"] = "aether-abi/1";
    for (const char* key : {"exec_targets", "exec_access", "entries"}) sidecar.erase(key);
    return sidecar;
}

Folder::Folder() {
    std::string name = (fs::temp_directory_path() / "eagle test \xC3\xA9 XXXXXX").string();  // a space, and no ASCII
    if (!::mkdtemp(name.data()))
        throw std::runtime_error("no folder for a test in " + fs::temp_directory_path().string());
    path_ = name;
    manifest = {{"schema_version", 2},      {"pattern", "vector"},           {"aether_abi", "aether-abi/2"},
                {"exec_targets", {"host"}}, {"exec_access", "sample_local"}, {"plugins", json::array()}};
}

Folder::~Folder() {
    std::error_code ignored;
    fs::remove_all(path_, ignored);
}

Folder& Folder::add(const json& sidecar, const std::string& file) {
    const std::string kernel = sidecar.at("kernel");
    write(kernel + ".json", sidecar.dump(2));
    fs::copy_file(binary(file), path_ / (kernel + ".so"), fs::copy_options::overwrite_existing);
    manifest["plugins"].push_back({{"id", kernel},
                                   {"order", manifest["plugins"].size()},
                                   {"enabled", true},
                                   {"artifact", kernel + ".so"},
                                   {"sidecar", kernel + ".json"},
                                   {"format", "host"}});
    for (const char* key : {"exec_access", "exec_op"})
        if (sidecar.contains(key)) manifest[key] = sidecar[key];
    return *this;
}

Folder& Folder::as_version_one() {
    manifest["schema_version"] = 1;
    manifest["aether_abi"] = "aether-abi/1";
    manifest.erase("exec_targets");
    manifest.erase("exec_access");
    return *this;
}

Folder& Folder::write(const std::string& file, const std::string& text) {
    std::ofstream(path_ / file, std::ios::binary) << text;
    return *this;
}

eagle::Artifact Folder::load() {
    write("manifest.json", manifest.dump(2));
    return eagle::Artifact::load(path_);
}

eagle::Kernel kernel(const json& sidecar, const std::string& file) {
    Folder folder;
    return folder.add(sidecar, file).load().kernel();
}

}  // namespace handmade
