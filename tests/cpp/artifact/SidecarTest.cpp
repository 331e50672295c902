// Sidecars: what becomes of a kernel's arguments, and what a refusal says.
#include <eagle/Artifact.h>
#include <eagle/Error.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "Handmade.h"

namespace {

using eagle::Dtype;
using eagle::Role;
using eagle::Sidecar;
using nlohmann::json;

std::string said(const json& document) {
    return handmade::refusal<eagle::InvalidArgument>([&] { Sidecar::parse(document.dump(), "k.json"); });
}

TEST(SidecarReader, RolesAndBlocksOfACounter) {
    const Sidecar sidecar = Sidecar::parse(handmade::counter().dump(), "k.json");
    const auto& parameters = sidecar.signature.parameters;
    ASSERT_EQ(parameters.size(), 10u);
    EXPECT_EQ(parameters[0].name, "__control");
    EXPECT_TRUE(parameters[0].supplied());
    EXPECT_EQ(parameters[0].dtype, Dtype::int64);
    EXPECT_EQ(parameters[3].dtype, Dtype::int64);    // n, an int
    EXPECT_EQ(parameters[4].dtype, Dtype::float64);  // x, a scalar
    EXPECT_FALSE(parameters[4].vector_view);
    EXPECT_EQ(parameters[5].role, Role::per_sample);
    EXPECT_EQ(parameters[7].role, Role::terminated);
    EXPECT_EQ(parameters[7].dtype, Dtype::boolean);
    EXPECT_EQ(parameters[8].role, Role::uniform);
    EXPECT_EQ(sidecar.signature.finish_mask, "done");
    ASSERT_EQ(sidecar.entries.size(), 1u);
    EXPECT_EQ(sidecar.entries[0].target, "host");
    EXPECT_EQ(sidecar.entries[0].step, "counter_step");
    EXPECT_EQ(sidecar.entries[0].run, "counter_run");
}

// A sidecar with one argument of every kind.
json varied() {
    json out = handmade::scale();
    out["scalar_type"] = "float32";
    out["params"] = {{{"name", "n"}, {"dtype", "int"}}, {{"name", "w"}, {"dtype", "float"}}};
    out["mutables"] = {
        {{"name", "count"}, {"dtype", "int"}, {"width", 1}, {"default", 0}},
        {{"name", "m"}, {"dtype", "matrix"}, {"width", 6}, {"shape", {2, 3}}, {"default", 0}, {"prior", false}},
        {{"name", "p"}, {"dtype", "vector"}, {"width", 3}, {"default", 0}, {"prior", true}},
        {{"name", "small"}, {"dtype", "int32"}, {"width", 1}, {"default", 0}}};
    out["mat_shapes"] = {{"q", {4, 2}}};
    out["arg_widths"] = {{"out", 2}, {"u", 5}, {"q", 8}};
    out["arg_dtypes"] = {{"out", "float32"}, {"table", "float64"}, {"k", "int64"}};
    out["arg_shapes"] = {{"table", nullptr}};
    out["arg_spec"] = json::parse(R"([["mutable", "count"], ["mutable", "m"], ["mutable", "p"], ["mutable", "small"],
        ["out", "out"], ["vec_in", "u"], ["mat_in", "q"], ["per_sample", "k"], ["lookup", "table"],
        ["terminated", "mask"], ["uniform", "n"], ["uniform", "w"], ["nsamples", "n_all"]])");
    return out;
}

TEST(SidecarReader, WidthsAndDtypes) {
    const auto signature = Sidecar::parse(varied().dump(), "k.json").signature;
    auto of = [&](const char* name) { return signature.parameters.at(static_cast<std::size_t>(signature.find(name))); };
    EXPECT_EQ(signature.scalar, Dtype::float32);
    EXPECT_EQ(of("count").dtype, Dtype::int64);
    EXPECT_TRUE(of("count").prior);
    EXPECT_EQ(of("m").rows, 2u);
    EXPECT_EQ(of("m").cols, 3u);
    EXPECT_TRUE(of("m").matrix);
    EXPECT_TRUE(of("m").vector_view);
    EXPECT_FALSE(of("m").prior);
    EXPECT_EQ(of("p").width(), 3u);
    EXPECT_TRUE(of("p").vector_view);
    EXPECT_EQ(of("p").dtype, Dtype::float32);
    EXPECT_EQ(of("small").dtype, Dtype::int32);
    EXPECT_EQ(of("out").width(), 2u);
    EXPECT_TRUE(of("out").vector_view);
    EXPECT_EQ(of("u").width(), 5u);
    EXPECT_EQ(of("q").rows, 4u);
    EXPECT_EQ(of("q").cols, 2u);
    EXPECT_EQ(of("k").dtype, Dtype::int64);
    EXPECT_FALSE(of("k").vector_view);
    EXPECT_EQ(of("table").dtype, Dtype::float64);
    EXPECT_EQ(of("n").dtype, Dtype::int64);
    EXPECT_EQ(of("w").dtype, Dtype::float32);
    EXPECT_EQ(of("n_all").dtype, Dtype::uint32);
}

TEST(SidecarReader, BareParameterNamesAreFloats) {
    json document = handmade::scale();
    document.erase("params_schema");
    document["params"] = {"a", "b"};
    EXPECT_EQ(Sidecar::parse(document.dump(), "k.json").signature.parameters[2].dtype, Dtype::float64);
}

TEST(SidecarReader, VersionOneIsRead) {
    json document = handmade::scale();
    document["schema_version"] = 1;
    document["aether_abi"] = "aether-abi/1";
    for (const char* key : {"exec_targets", "exec_access", "entries"}) document.erase(key);
    const Sidecar sidecar = Sidecar::parse(document.dump(), "k.json");
    EXPECT_EQ(sidecar.schema_version, 1);
    EXPECT_EQ(sidecar.signature.parameters.size(), 4u);
    EXPECT_EQ(sidecar.exec_access, "");
}

TEST(SidecarReader, LaterVersionsAreRefusedWithTheFixedSentence) {
    json document = handmade::scale();
    document["schema_version"] = 3;
    document["pattern"] = "something else";
    EXPECT_EQ(said(document),
              "k.json was built for plugin schema v3, but this loader supports v2; upgrade eagle to load it");
}

TEST(SidecarReader, RequiredKeysAreMissedByName) {
    for (const char* key : {"schema_version", "pattern", "aether_abi", "exec_targets", "exec_access", "scalar_type",
                            "kernel", "arg_spec", "entries"}) {
        json document = handmade::scale();
        document.erase(key);
        EXPECT_EQ(said(document),
                  "k.json: the key '" + std::string(key) + "' is missing; it is required and nothing is guessed");
    }
}

// One change to a good sidecar, and what the refusal has to hold.
struct Change {
    const char *pointer, *value, *words;
};

TEST(SidecarReader, EachRuleOfTheArguments) {
    for (const Change& change : std::vector<Change>{
             {"/arg_spec/4", R"(["out"])", "every entry must be [role, name]"},
             {"/arg_spec/4", R"("out")", "'arg_spec' holds \"out\" (a string)"},
             {"/arg_spec/4/0", R"("output")",
              "holds the role \"output\" (a string); the roles are mutable, out, wide_out"},
             {"/arg_spec/5/1", R"("out")", "'arg_spec' names 'out' twice"},
             {"/arg_spec/10/1", R"("zz")", "has the uniform 'zz', which 'params' does not declare"},
             {"/arg_spec/0/1", R"("zz")", "has the mutable 'zz', which 'mutables' does not declare"},
             {"/params/0/dtype", R"("double")", "'dtype' is \"double\" (a string); it must be 'float' or 'int'"},
             {"/params_schema", "3", "'params_schema' is 3 (an int); it must be 2"},
             {"/mutables/1/shape", "[2, 4]", "gives 'm' the width 6, which its shape contradicts"},
             {"/mutables/1/shape", "[6]", "gives 'm' the shape [6] (a list); it must be [rows, columns]"},
             {"/mutables/0/width", "2", "only a vector or a matrix is wider than 1"},
             {"/mutables/2/width", "0", "gives 'p' the extent 0 (an int); it must be an int of at least 1"},
             {"/mutables/2/width", "true", "gives 'p' the extent true (a bool)"},
             {"/mutables/2/dtype", R"("tensor")", "'dtype' is \"tensor\" (a string); it must be 'scalar', 'vector'"},
             {"/mutables/2/prior", "1", "'prior' is 1 (an int); it must be true or false"},
             {"/arg_widths/u", "null", "'arg_widths' has no width for the vector 'u'"},
             {"/arg_widths/q", "9", "gives 'q' the width 9 (an int), where the sidecar's other keys say 8"},
             {"/arg_widths/k", "2", "the per-sample scalar 'k' the width 2"},
             {"/arg_widths", "[1]", "'arg_widths' is [1] (a list); it must be an object by plane name"},
             {"/arg_dtypes/k", R"("complex128")", "gives 'k' the dtype \"complex128\" (a string)"},
             {"/mat_shapes/q", "null", "has no shape for the matrix 'q'"},
             {"/scalar_type", R"("float16")", "it must be 'float64' or 'float32'"},
             {"/entries", R"([1])", "'entries' is [1] (a list); it must be an object by target"},
             {"/entries/host", R"({"run": "r"})", "entries.host: the key 'step' is missing"},
             {"/entries/host/step", R"("")", "'step' is \"\" (a string); it must be a non-empty string"},
             {"/host_cpu", R"("avx2")", "'host_cpu' is \"avx2\" (a string); it must be a list"},
             {"/finish", R"({"mask": "p"})", "'finish' names the mask 'p', which arg_spec does not have with the role"},
             {"/finish", R"("mask")", "k.json, finish: holds \"mask\" (a string); it must hold an object"},
             {"/entries/host/run", R"("r")", "has a run entry, but the kernel has no 'finish'"}}) {
        json document = varied();
        document[json::json_pointer(change.pointer)] = json::parse(change.value);
        EXPECT_NE(said(document).find(change.words), std::string::npos) << change.pointer << ": " << said(document);
    }
}

TEST(SidecarReader, FinishingKernelsAreConsistent) {
    json document = handmade::counter();
    document["terminated_readonly"] = true;
    EXPECT_NE(said(document).find("'terminated_readonly' is true, but 'finish' says"), std::string::npos);
    document = handmade::counter();
    document["arg_spec"].erase(1);
    EXPECT_NE(said(document).find("arg_spec has no plane '__next'"), std::string::npos) << said(document);
}

TEST(NeuralBlock, ReferencesBeforeTheParentsOwnKernelAreKeptApart) {
    // Written with the references first: their `kernel` must not be taken for the descriptor's.
    const std::string text = R"({"forward_exec": {"kind": "kernel", "kernel": "dense_forward"},
        "jvp_exec": {"kernel": "dense_jvp", "kind": "kernel"}, "schema_version": 2, "pattern": "neural_block",
        "kernel": "dense", "scalar_type": "float64", "arg_spec": [], "in_degree": 1, "out_degree": 2,
        "input_width": 4, "output_width": 6, "state_width": 6, "param_width": 0, "scatter_policy": "accumulate"})";
    const Sidecar sidecar = Sidecar::parse(text, "k.json");
    EXPECT_EQ(sidecar.signature.kernel, "dense");
    EXPECT_EQ(sidecar.pattern, "neural_block");
    // Without its own, the nested one is no substitute.
    json document = json::parse(text);
    document.erase("kernel");
    EXPECT_EQ(said(document), "k.json: the key 'kernel' is missing; it is required and nothing is guessed");
}

TEST(NeuralBlock, EachRule) {
    for (const Change& change : std::vector<Change>{
             {"/schema_version", "3", "built for plugin schema v3, but this loader supports v2"},
             {"/in_degree", "true", "'in_degree' is true (a bool); it must be an int"},
             {"/state_width", "4294967296", "it must be an int from 1 to 2^32 - 1"},
             {"/param_width", "-1", "it must be an int from 0 to 2^32 - 1"},
             {"/output_width", "7", "'output_width' is 7 (an int); it must be at most state_width, 6"},
             {"/scatter_policy", R"("any")", "it must be 'unique_write' or 'accumulate'"},
             {"/arg_spec", R"([["out", "o"]])", "it must be empty in a neural block"},
             {"/forward_exec/kind", R"("graph")", "'kind' is \"graph\" (a string); it must be 'kernel'"},
             {"/forward_exec/extra", "1", "forward_exec: has the unknown key 'extra'"},
             {"/jvp_exec", "1", "k.json, jvp_exec: holds 1 (an int); it must hold an object"},
             {"/mutables", R"([1])", "carries 'mutables' ([1] (a list)), which a neural block must not have"},
             {"/aether_abi", R"("aether-abi/2")", "which a neural block must not have"}}) {
        json document = handmade::neural_block();
        document[json::json_pointer(change.pointer)] = json::parse(change.value);
        EXPECT_NE(said(document).find(change.words), std::string::npos) << change.pointer << ": " << said(document);
    }
    json document = handmade::neural_block();
    document["mutables"] = json::array();  // empty is as good as absent
    EXPECT_EQ(said(document), "");
}

}  // namespace
