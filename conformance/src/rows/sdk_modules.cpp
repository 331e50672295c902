// Device code: modules, their functions and variables.
#include <eagle/conformance/Buffer.h>
#include <eagle/conformance/Launch.h>
#include <eagle/conformance/Row.h>

#include <cstdio>
#include <cstring>
#include <fstream>
#include <iterator>

#include "Refused.h"

using namespace eagle::conformance;

namespace {

using Desc = struct eagle_backend_sdk_module_desc;

// The test kernels as a module of the row's own, by path or, where the kind takes none, by image.
class Module {
  public:
    explicit Module(Context& c) : c_(c) {
        auto desc = make<Desc>();
        desc.device = c.device;
        desc.path = c.kernels_file().c_str();
        if (c.seam.sdk_module_load(&desc, &number) != EAGLE_BACKEND_UNSUPPORTED) {
            ROW_REQUIRE(c, number != 0);
            return;
        }
        std::ifstream file(c.kernels_file(), std::ios::binary);
        const std::string image{std::istreambuf_iterator<char>(file), {}};
        desc.path = nullptr;
        desc.image = image.data();
        desc.image_bytes = image.size();
        ROW_OK(c, c.seam.sdk_module_load(&desc, &number));
    }
    ~Module() {
        if (number) c_.seam.sdk_module_unload(number);
    }
    Module(const Module&) = delete;
    Module& operator=(const Module&) = delete;
    std::uint64_t function(const char* name) const {
        std::uint64_t found = 0;
        ROW_OK(c_, c_.seam.sdk_module_function(number, name, &found));
        return found;
    }
    std::uint64_t number = 0;

  private:
    Context& c_;
};

void run(Context& c, std::uint64_t function, std::int64_t value, const Buffer<std::int64_t>& x, std::uint64_t stream) {
    std::int64_t* pointer = x.pointer();
    const std::uint64_t params[2] = {reinterpret_cast<std::uint64_t>(&value),
                                     reinterpret_cast<std::uint64_t>(&pointer)};
    const std::uint64_t sizes[2] = {sizeof value, sizeof pointer};
    auto desc = make<struct eagle_backend_launch_desc>();
    desc.device = c.device;
    desc.block = 64;
    desc.function = function;
    desc.params = params;
    desc.param_sizes = sizes;
    desc.nparams = 2;
    desc.count = desc.n_samples = std::int64_t(x.size());
    desc.stream = stream;
    std::int32_t launched = 0;
    ROW_OK(c, c.seam.run_device(&desc, &launched));
}

// Where device code is a shared object of the host, so are its variables.
bool lies_in_the_host(Context& c, std::uint64_t address) {
    if (c.facts.is_host_kind()) return true;
    if (!c.facts.has(Symbol::pointer_residency)) return false;
    std::int32_t cls = -1;
    ROW_OK(c, c.seam.pointer_residency(c.device, address, &cls));
    return cls == EAGLE_BACKEND_RESIDENCY_HOST || cls == EAGLE_BACKEND_RESIDENCY_PAGEABLE;
}

template <class T>
T read_variable(Context& c, std::uint64_t address) {
    T value{};
    if (lies_in_the_host(c, address)) {
        std::memcpy(&value, reinterpret_cast<const void*>(address), sizeof value);
    } else {
        ROW_OK(c, c.seam.memcpy(reinterpret_cast<std::uint64_t>(&value), address, sizeof value,
                                EAGLE_BACKEND_MEMCPY_DEVICE_TO_HOST, c.stream()));
        c.synchronize();
    }
    return value;
}

}  // namespace

EAGLE_ROW("sdk-module-functions", .covers = {Symbol::sdk_module_load, Symbol::sdk_module_function},
          .needs = {Symbol::sdk_module_unload, Symbol::stream_create}, .memory = true, .kernels = true) {
    const StreamHandle stream(c);
    const Module module(c);
    const std::uint64_t fill = module.function("conformance_fill"), add = module.function("conformance_add");
    ROW_EXPECT(c, fill != 0 && add != 0 && fill != add);
    ROW_EQ(c, module.function("conformance_fill"), fill);
    Buffer<std::int64_t> x(c, 1000);
    run(c, fill, 40, x, stream.raw());
    run(c, add, 2, x, stream.raw());
    stream.synchronize();
    ROW_EQ(c, x.download(), std::vector<std::int64_t>(1000, 42));
}

EAGLE_ROW("sdk-module-globals", .covers = {Symbol::sdk_module_global}, .needs = {Symbol::sdk_module_unload},
          .memory = true, .kernels = true) {
    const Module module(c);
    std::uint64_t address = 0, bytes = 0;
    ROW_OK(c, c.seam.sdk_module_global(module.number, "conformance_tag", &address, &bytes));
    ROW_EQ(c, bytes, std::uint64_t(8));
    ROW_EQ(c, read_variable<std::int64_t>(c, address), std::int64_t(7001));
    ROW_OK(c, c.seam.sdk_module_global(module.number, "conformance_table", &address, &bytes));
    ROW_EQ(c, bytes, std::uint64_t(24));
    const auto table = read_variable<std::array<std::int32_t, 6>>(c, address);
    ROW_EXPECT(c, table == std::array<std::int32_t, 6>{1, 2, 3, 5, 8, 13});
}

EAGLE_ROW("sdk-module-names-that-are-absent", .covers = {Symbol::sdk_module_function, Symbol::sdk_module_global},
          .needs = {Symbol::sdk_module_unload}, .kernels = true) {
    const Module module(c);
    std::uint64_t address = 5, bytes = 6;
    ROW_STATUS(c, c.seam.sdk_module_function(module.number, "no_such_entry", &address), EAGLE_BACKEND_INVALID_ARGUMENT);
    expect_words(c, "no_such_entry");
    ROW_STATUS(c, c.seam.sdk_module_global(module.number, "no_such_variable", &address, &bytes),
               EAGLE_BACKEND_INVALID_ARGUMENT);
    expect_words(c, "no_such_variable");
    ROW_STATUS(c, c.seam.sdk_module_function(module.number, nullptr, &address), EAGLE_BACKEND_INVALID_ARGUMENT);
    ROW_STATUS(c, c.seam.sdk_module_function(module.number, "conformance_add", nullptr),
               EAGLE_BACKEND_INVALID_ARGUMENT);
    ROW_STATUS(c, c.seam.sdk_module_global(module.number, nullptr, &address, &bytes), EAGLE_BACKEND_INVALID_ARGUMENT);
    ROW_STATUS(c, c.seam.sdk_module_global(module.number, "conformance_tag", nullptr, &bytes),
               EAGLE_BACKEND_INVALID_ARGUMENT);
}

EAGLE_ROW("sdk-module-load-refusals", .covers = {Symbol::sdk_module_load}, .kernels = true) {
    std::uint64_t module = 0;
    ROW_STATUS(c, c.seam.sdk_module_load(nullptr, &module), EAGLE_BACKEND_INVALID_ARGUMENT);
    auto good = make<Desc>();
    good.device = c.device;
    good.path = c.kernels_file().c_str();
    auto desc = good;
    desc.struct_size = 11;
    ROW_STATUS(c, c.seam.sdk_module_load(&desc, &module), EAGLE_BACKEND_INVALID_ARGUMENT);
    desc = good;
    desc.flags = 0x20;
    desc.device = c.facts.devices + 5;
    ROW_STATUS(c, c.seam.sdk_module_load(&desc, &module), EAGLE_BACKEND_UNSUPPORTED);
    expect_bits_named(c, 0x20);
    desc.flags = 0;
    ROW_STATUS(c, c.seam.sdk_module_load(&desc, &module), EAGLE_BACKEND_INVALID_ARGUMENT);
    desc = good;
    ROW_STATUS(c, c.seam.sdk_module_load(&desc, nullptr), EAGLE_BACKEND_INVALID_ARGUMENT);
    desc.path = nullptr;  // nothing to load; so is a description that ends before both
    ROW_STATUS(c, c.seam.sdk_module_load(&desc, &module), EAGLE_BACKEND_INVALID_ARGUMENT);
    desc = good;
    desc.struct_size = 16;
    ROW_STATUS(c, c.seam.sdk_module_load(&desc, &module), EAGLE_BACKEND_INVALID_ARGUMENT);
    desc = good;
    desc.image = "both";
    desc.image_bytes = 4;
    ROW_STATUS(c, c.seam.sdk_module_load(&desc, &module), EAGLE_BACKEND_INVALID_ARGUMENT);
    ROW_EQ(c, module, std::uint64_t(0));
}

EAGLE_ROW("sdk-module-load-of-no-code", .covers = {Symbol::sdk_module_load}, .kernels = true) {
    auto desc = make<Desc>();
    desc.device = c.device;
    std::uint64_t module = 0;
    desc.path = "/nowhere/eagle_conformance/no.code";
    ROW_EXPECT(c, c.seam.sdk_module_load(&desc, &module) != EAGLE_BACKEND_OK);
    ROW_EXPECT(c, *c.seam.last_error() != '\0');
    const char text[64] = "this is no device code of any kind";
    desc.path = nullptr;
    desc.image = text;
    desc.image_bytes = sizeof text;
    ROW_EXPECT(c, c.seam.sdk_module_load(&desc, &module) != EAGLE_BACKEND_OK);
    ROW_EXPECT(c, *c.seam.last_error() != '\0');
    ROW_EQ(c, module, std::uint64_t(0));
}

EAGLE_ROW("sdk-module-unload", .covers = {Symbol::sdk_module_unload},
          .needs = {Symbol::sdk_module_global, Symbol::stream_create}, .memory = true, .kernels = true) {
    const StreamHandle stream(c);
    Module first(c);
    const Module second(c);
    const std::uint64_t dead = first.number;
    ROW_OK(c, c.seam.sdk_module_unload(first.number));
    first.number = 0;
    std::uint64_t address = 5, bytes = 6;
    for (const std::uint64_t number : {dead, std::uint64_t(0), std::uint64_t(0x10)}) {
        ROW_STATUS(c, c.seam.sdk_module_unload(number), EAGLE_BACKEND_BAD_HANDLE);
        ROW_STATUS(c, c.seam.sdk_module_function(number, "conformance_add", &address), EAGLE_BACKEND_BAD_HANDLE);
        ROW_STATUS(c, c.seam.sdk_module_global(number, "conformance_tag", &address, &bytes), EAGLE_BACKEND_BAD_HANDLE);
    }
    // The same file, loaded twice, is still there.
    Buffer<std::int64_t> x(c, std::vector<std::int64_t>(100, 1));
    run(c, second.function("conformance_add"), 6, x, stream.raw());
    stream.synchronize();
    ROW_EQ(c, x.download(), std::vector<std::int64_t>(100, 7));
}

EAGLE_ROW("sdk-module-unload-under-a-graph", .covers = {Symbol::sdk_module_unload},
          .needs = {Symbol::stream_create, Symbol::capturer_create, Symbol::capturer_begin, Symbol::capturer_end,
                    Symbol::captured_release, Symbol::graph_from_captured, Symbol::graph_launcher,
                    Symbol::launcher_stream, Symbol::launcher_launch, Symbol::launcher_synchronize},
          .memory = true, .kernels = true) {
    const StreamHandle stream(c);
    Module module(c);
    Buffer<std::int64_t> x(c, std::vector<std::int64_t>(100, 1));
    Launcher launcher(c);
    {
        auto desc = make<struct eagle_backend_capturer_desc>();
        desc.device = c.device;
        desc.stream = stream.raw();
        Capturer capturer(c);
        Captured captured(c);
        Graph graph(c);
        ROW_OK(c, c.seam.capturer_create(&desc, capturer.out()));
        ROW_OK(c, c.seam.capturer_begin(capturer.get()));
        run(c, module.function("conformance_add"), 6, x, stream.raw());
        ROW_OK(c, c.seam.capturer_end(capturer.get(), captured.out()));
        ROW_OK(c, c.seam.graph_from_captured(captured.get(), graph.out()));
        (void)captured.drop();
        ROW_OK(c, c.seam.graph_launcher(graph.get(), launcher.out()));
        ROW_STATUS(c, c.seam.sdk_module_unload(module.number), EAGLE_BACKEND_BAD_HANDLE);
    }
    ROW_OK(c, c.seam.launcher_stream(launcher.get(), stream.raw()));
    ROW_OK(c, c.seam.launcher_launch(launcher.get()));
    ROW_OK(c, c.seam.launcher_synchronize(launcher.get()));
    ROW_EQ(c, x.download(), std::vector<std::int64_t>(100, 7));
    launcher.reset();
    ROW_OK(c, c.seam.sdk_module_unload(module.number));
    module.number = 0;
}
