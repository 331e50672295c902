// manifest.json: every rule of its schema, and what a refusal says.
#include <eagle/Artifact.h>
#include <eagle/Error.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <string>
#include <vector>

#include "Handmade.h"

namespace {

using nlohmann::json;

json good() {
    return {{"schema_version", 2},
            {"pattern", "vector"},
            {"aether_abi", "aether-abi/2"},
            {"exec_targets", {"device", "host"}},
            {"exec_access", "sample_local"},
            {"plugins",
             {{{"id", "k"},
               {"order", 0},
               {"enabled", true},
               {"artifact", "k.so"},
               {"sidecar", "k.json"},
               {"format", "host"}}}}};
}

json good_v1() {
    json out = good();
    out["schema_version"] = 1;
    out["aether_abi"] = "aether-abi/1";
    out.erase("exec_targets");
    out.erase("exec_access");
    return out;
}

std::string said(const json& document) {
    return handmade::refusal<eagle::InvalidArgument>([&] { eagle::Manifest::parse(document.dump(), "m.json"); });
}
std::string said_with(const char* key, const json& value, json document = good()) {
    document[key] = value;
    return said(document);
}
std::string said_record(const char* key, const json& value) {
    json document = good();
    document["plugins"][0][key] = value;
    return said(document);
}

TEST(Manifest, VersionTwoIsRead) {
    const auto manifest = eagle::Manifest::parse(good().dump(), "m.json");
    EXPECT_EQ(manifest.schema_version, 2);
    EXPECT_EQ(manifest.exec_targets, (std::vector<std::string>{"device", "host"}));
    EXPECT_EQ(manifest.exec_access, "sample_local");
    EXPECT_EQ(manifest.exec_op, "");
    ASSERT_EQ(manifest.plugins.size(), 1u);
    EXPECT_EQ(manifest.plugins[0].artifact, "k.so");
    EXPECT_EQ(manifest.plugins[0].format, "host");
}

TEST(Manifest, VersionOneIsReadAndHasNoExecutionAxis) {
    const auto manifest = eagle::Manifest::parse(good_v1().dump(), "m.json");
    EXPECT_EQ(manifest.schema_version, 1);
    EXPECT_EQ(manifest.exec_access, "");
    for (const char* key : {"exec_targets", "exec_access", "exec_op"})
        EXPECT_NE(said_with(key, good()["exec_targets"], good_v1()).find("carries '" + std::string(key) + "'"),
                  std::string::npos);
}

TEST(Manifest, KeysInAnyOrderGiveTheSame) {
    const json document = good();
    std::vector<std::string> keys;
    for (const auto& [key, value] : document.items()) keys.push_back(key);
    std::mt19937 random(7);
    for (int round = 0; round < 50; ++round) {
        std::shuffle(keys.begin(), keys.end(), random);
        std::string text = "{";
        for (const std::string& key : keys)
            text += (text.size() > 1 ? ", \"" : "\"") + key + "\": " + document[key].dump();
        const auto manifest = eagle::Manifest::parse(text + "}", "m.json");
        EXPECT_EQ(manifest.pattern, "vector");
        EXPECT_EQ(manifest.aether_abi, "aether-abi/2");
        EXPECT_EQ(manifest.plugins.at(0).id, "k");
    }
}

TEST(Manifest, UnknownKeysAreIgnored) {
    EXPECT_EQ(said_with("plugin", {{"pattern", 3}}), "");
    EXPECT_EQ(said_record("schema_version", 99), "");
}

TEST(Manifest, VersionHasAnAlias) {
    json document = good();
    document.erase("schema_version");
    EXPECT_EQ(said(document), "m.json: the key 'schema_version' is missing; it is required and nothing is guessed");
    document["version"] = 2;
    EXPECT_EQ(said(document), "");
    document["version"] = 7;
    EXPECT_EQ(said(document),
              "m.json was built for plugin schema v7, but this loader supports v2; upgrade eagle to load it");
}

TEST(Manifest, VersionsThatAreNone) {
    EXPECT_EQ(said_with("schema_version", 3),
              "m.json was built for plugin schema v3, but this loader supports v2; upgrade eagle to load it");
    EXPECT_EQ(said_with("schema_version", 0), "m.json: 'schema_version' is 0 (an int); it must be 1 or 2");
    EXPECT_EQ(said_with("schema_version", -1), "m.json: 'schema_version' is -1 (an int); it must be 1 or 2");
    EXPECT_EQ(said_with("schema_version", true), "m.json: 'schema_version' is true (a bool); it must be an int");
    EXPECT_EQ(said_with("schema_version", "2"), "m.json: 'schema_version' is \"2\" (a string); it must be an int");
    EXPECT_EQ(said_with("schema_version", 2.0), "m.json: 'schema_version' is 2.0 (a float); it must be an int");
    EXPECT_EQ(said_with("schema_version", nullptr), "m.json: 'schema_version' is null; it must be an int");
}

TEST(Manifest, TagMustFitTheVersion) {
    EXPECT_EQ(said_with("aether_abi", "aether-abi/1"),
              "m.json: 'aether_abi' is \"aether-abi/1\" (a string); it must be 'aether-abi/2' in schema v2");
    EXPECT_EQ(said_with("aether_abi", "aether-abi/2", good_v1()),
              "m.json: 'aether_abi' is \"aether-abi/2\" (a string); it must be 'aether-abi/1' in schema v1");
}

TEST(Manifest, EveryRequiredKeyIsMissedByName) {
    for (const char* key : {"pattern", "aether_abi", "exec_targets", "exec_access", "plugins"}) {
        json document = good();
        document.erase(key);
        EXPECT_EQ(said(document),
                  "m.json: the key '" + std::string(key) + "' is missing; it is required and nothing is guessed");
    }
    for (const char* key : {"id", "order", "enabled", "artifact", "sidecar", "format"}) {
        json document = good();
        document["plugins"][0].erase(key);
        EXPECT_EQ(said(document), "m.json, plugins[0]: the key '" + std::string(key) +
                                      "' is missing; it is required and nothing is guessed");
    }
}

TEST(Manifest, WrongTypesNameKeyAndValue) {
    EXPECT_EQ(said_with("pattern", 3), "m.json: 'pattern' is 3 (an int); it must be a string");
    EXPECT_EQ(said_with("plugins", {{"a", 1}}), "m.json: 'plugins' is {\"a\":1} (an object); it must be a list");
    EXPECT_EQ(said_with("exec_targets", "host"), "m.json: 'exec_targets' is \"host\" (a string); it must be a list");
    EXPECT_EQ(said_with("exec_targets", {1}), "m.json: 'exec_targets' is [1] (a list); it must be a list of strings");
    EXPECT_EQ(said_with("plugins", {5}), "m.json, plugins[0]: holds 5 (an int); it must hold an object");
    EXPECT_EQ(said_record("enabled", 1), "m.json, plugins[0]: 'enabled' is 1 (an int); it must be true or false");
    EXPECT_EQ(said_record("order", true), "m.json, plugins[0]: 'order' is true (a bool); it must be an int");
}

TEST(Manifest, ValuesOutsideTheirSet) {
    EXPECT_EQ(said_with("pattern", "matrix"),
              "m.json: 'pattern' is \"matrix\" (a string); it must be 'vector', 'pure' or 'neural_block'");
    EXPECT_NE(said_with("exec_access", "anything").find("it must be 'sample_local', 'cross_sample_read'"),
              std::string::npos);
    EXPECT_NE(said_with("exec_targets", json::array()).find("a non-empty list"), std::string::npos);
    EXPECT_NE(said_with("exec_targets", {"host", "host"}).find("without duplicates"), std::string::npos);
    EXPECT_NE(said_with("exec_targets", {"tpu"}).find("drawn from 'device' and 'host'"), std::string::npos);
    EXPECT_NE(said_record("format", "dll").find("'ptx', 'cubin', 'fatbin', 'hsaco' or 'host'"), std::string::npos);
}

TEST(Manifest, OperationGoesWithMapreduceOnly) {
    EXPECT_NE(said_with("exec_op", "sum").find("belongs to exec_access 'mapreduce' only"), std::string::npos);
    json document = good();
    document["exec_access"] = "mapreduce";
    EXPECT_EQ(said(document), "m.json: the key 'exec_op' is missing; it is required and nothing is guessed");
    for (const char* operation : {"sum", "times", "max", "land"})
        EXPECT_EQ(said_with("exec_op", operation, document), "");
    EXPECT_NE(said_with("exec_op", "min", document).find("'sum', 'times', 'max' or 'land'"), std::string::npos);
}

TEST(Manifest, RecordsAreNumberedAndNamedOnce) {
    EXPECT_EQ(said_record("order", 1),
              "m.json, plugins[0]: 'order' is 1 (an int); it must be its index in the list, 0");
    json document = good();
    document["plugins"].push_back(document["plugins"][0]);
    document["plugins"][1]["order"] = 1;
    EXPECT_EQ(said(document), "m.json: two plugin records have the id 'k'; an id names one record");
}

TEST(Manifest, PathsStayInsideTheFolder) {
    for (const char* key : {"artifact", "sidecar"})
        for (const char* path : {"../k.so", "/etc/passwd", "a/b.so", "..", ".", "", "a\\b"})
            EXPECT_NE(said_record(key, path).find("the name of a file inside the artifact folder"), std::string::npos)
                << key << " " << path;
    EXPECT_NE(said_record("artifact", std::string("k\0.so", 5)).find("inside the artifact folder"), std::string::npos);
}

TEST(Manifest, BlocksGoWithNeuralBlockOnly) {
    EXPECT_NE(said_with("blocks", json::array()).find("belongs to pattern 'neural_block' only"), std::string::npos);
    json document = good();
    document["pattern"] = "neural_block";
    document["plugins"] = json::array();
    EXPECT_EQ(said(document), "m.json: the key 'blocks' is missing; it is required and nothing is guessed");
    EXPECT_EQ(said_with("blocks", json::array({handmade::neural_block()}), document), "");
    json block = handmade::neural_block();
    block["in_degree"] = 0;
    EXPECT_EQ(said_with("blocks", json::array({block}), document),
              "m.json, blocks[0]: 'in_degree' is 0 (an int); it must be an int from 1 to 2^32 - 1");
}

}  // namespace
