// The device code in the file: a bundle that names each architecture of build_info, with a code object that has every
// kernel.
#include <cstring>
#include <fstream>
#include <iterator>
#include <set>
#include <sstream>

#include "../gpu/Client.h"

namespace {

constexpr char magic[] = "__CLANG_OFFLOAD_BUNDLE__";
constexpr const char* kernels[] = {
#define EAGLE_KERNEL(name) #name,
#define EAGLE_GUARD_KERNEL(name)
#include <eagle_kernels.def>
};

struct Reader {
    const std::string& bytes;
    std::size_t at;
    std::uint64_t number() {
        std::uint64_t value = 0;
        std::memcpy(&value, bytes.data() + at, sizeof value);
        at += sizeof value;
        return value;
    }
    std::string text(std::uint64_t length) {
        at += length;
        return bytes.substr(at - length, length);
    }
};

void expect_code_object(const std::string& object) {
    constexpr unsigned amd_gpu = 224, at_machine = 18;
    ASSERT_GT(object.size(), 64u);
    EXPECT_EQ(object.compare(0, 4, "\177ELF"), 0);
    EXPECT_EQ(static_cast<unsigned char>(object[at_machine]), amd_gpu);
    for (const char* kernel : kernels) EXPECT_NE(object.find(std::string(kernel) + ".kd"), std::string::npos) << kernel;
}

TEST(DeviceCode, IsABundleOfTheArchitecturesThatBuildInfoNames) {
    std::ifstream file(EAGLE_GPU_BACKEND, std::ios::binary);
    const std::string bytes{std::istreambuf_iterator<char>(file), {}};
    std::set<std::string> named, found;
    std::istringstream words(EAGLE_HIP_ARCHS);
    for (std::string word; words >> word;) named.insert(word);
    std::size_t start = std::string::npos;
    for (std::size_t at = bytes.find(magic); at != std::string::npos; at = bytes.find(magic, at + 1)) {
        if (at % 4096 == 0) start = at;
    }
    if (std::string(EAGLE_HIP_ARCHS) == "no device code") {
        EXPECT_EQ(start, std::string::npos);
        return;
    }
    for (const char* arch : {"gfx90a", "gfx942", "gfx1100", "gfx1201"}) EXPECT_TRUE(named.count(arch)) << arch;
    ASSERT_NE(start, std::string::npos);
    Reader reader{bytes, start + sizeof magic - 1};
    const std::uint64_t parts = reader.number();
    ASSERT_EQ(parts, named.size() + 1);
    for (std::uint64_t i = 0; i < parts; ++i) {
        const std::uint64_t place = reader.number(), size = reader.number();
        const std::string name = reader.text(reader.number()), stem = "hipv4-amdgcn-amd-amdhsa--";
        if (i == 0) {
            EXPECT_EQ(name.rfind("host-", 0), 0u);
            EXPECT_EQ(size, 0u);
            continue;
        }
        ASSERT_EQ(name.rfind(stem, 0), 0u) << name;
        found.insert(name.substr(stem.size()));
        EXPECT_EQ(place % 4096, 0u);
        expect_code_object(bytes.substr(start + place, size));
    }
    EXPECT_EQ(found, named);
}

}  // namespace
