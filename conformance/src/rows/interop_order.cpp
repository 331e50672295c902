// Fences between streams for every kind of work: what the producer does comes before what the consumer does, whatever
// both are. Behind a gate the race is certain: without the fence the consumer is done while the producer has not begun.
#include <eagle/conformance/Gate.h>

#include <array>
#include <functional>
#include <string>

#include "Graphs.h"

using namespace eagle::conformance;

namespace {

constexpr std::size_t n = 500;
constexpr std::uint64_t bytes = n * sizeof(std::int64_t);
constexpr std::int64_t old_value = 3, new_value = 8;

// Page-locked words of the host.
class Pinned {
  public:
    explicit Pinned(Context& c, std::int64_t value) : c_(c) {
        ROW_OK(c, c.seam.host_alloc(bytes, &address_));
        std::fill_n(words(), n, value);
    }
    ~Pinned() { c_.seam.host_free(address_); }
    Pinned(const Pinned&) = delete;
    Pinned& operator=(const Pinned&) = delete;
    std::uint64_t address() const { return address_; }
    std::int64_t* words() const { return reinterpret_cast<std::int64_t*>(address_); }

  private:
    Context& c_;
    std::uint64_t address_ = 0;
};

// One way to put new values where old ones are: on the device for most, on the host for the last two.
struct Scene {
    Context& c;
    StreamHandle producer, consumer;
    Plane source, x, seen;
    Pinned host, box, read;
    explicit Scene(Context& row)
        : c(row),
          producer(row),
          consumer(row),
          source(row, Words(n, new_value)),
          x(row, Words(n, old_value)),
          seen(row, Words(n, 0)),
          host(row, new_value),
          box(row, old_value),
          read(row, 0) {}
    void copy(std::uint64_t to, std::uint64_t from, std::int32_t kind, const StreamHandle& on) {
        ROW_OK(c, c.seam.memcpy(to, from, bytes, kind, on.raw()));
    }
};

struct Work {
    const char* name;
    bool on_host;  // where the values lie that it makes, or reads
    std::function<void(Scene&)> put;
    bool leaves_on_host = false;  // of a consumer: in `read`, not in `seen`
};

void to_new(void* words) { std::fill_n(static_cast<std::int64_t*>(words), n, new_value); }
struct Taking {
    static void run(void* scene) {
        const Scene& s = *static_cast<const Scene*>(scene);
        std::copy_n(s.box.words(), n, s.read.words());
    }
};

const std::array<Work, 5> producers{{
    {"kernel", false,
     [](Scene& s) {
         Launch(s.c, "conformance_fill").with(new_value).with(s.x.pointer()).over(n).on(s.producer.raw()).run();
     }},
    {"copy on the device", false,
     [](Scene& s) { s.copy(s.x.address(), s.source.address(), EAGLE_BACKEND_MEMCPY_DEVICE_TO_DEVICE, s.producer); }},
    {"copy to the device", false,
     [](Scene& s) { s.copy(s.x.address(), s.host.address(), EAGLE_BACKEND_MEMCPY_HOST_TO_DEVICE, s.producer); }},
    {"copy to the host", true,
     [](Scene& s) { s.copy(s.box.address(), s.source.address(), EAGLE_BACKEND_MEMCPY_DEVICE_TO_HOST, s.producer); }},
    {"host function", true,
     [](Scene& s) { ROW_OK(s.c, s.c.seam.host_func(s.producer.raw(), &to_new, s.box.words())); }},
}};

const std::array<Work, 5> consumers{{
    {"kernel", false,
     [](Scene& s) {
         Launch(s.c, "conformance_copy").with(s.x.pointer()).with(s.seen.pointer()).over(n).on(s.consumer.raw()).run();
     }},
    {"copy on the device", false,
     [](Scene& s) { s.copy(s.seen.address(), s.x.address(), EAGLE_BACKEND_MEMCPY_DEVICE_TO_DEVICE, s.consumer); }},
    {"copy to the host", false,
     [](Scene& s) { s.copy(s.read.address(), s.x.address(), EAGLE_BACKEND_MEMCPY_DEVICE_TO_HOST, s.consumer); }, true},
    {"copy to the device", true,
     [](Scene& s) { s.copy(s.seen.address(), s.box.address(), EAGLE_BACKEND_MEMCPY_HOST_TO_DEVICE, s.consumer); }},
    {"host function", true, [](Scene& s) { ROW_OK(s.c, s.c.seam.host_func(s.consumer.raw(), &Taking::run, &s)); },
     true},
}};

// The one value that the consumer read; 0 where it did not end while the gate was shut.
std::int64_t value_read(Context& c, const Work& producer, const Work& consumer, bool has_fence) {
    Scene s(c);
    bool ended = true;
    {
        Gate gate(c, s.producer.raw());
        producer.put(s);
        if (has_fence) {
            ROW_OK(c, c.seam.fence(c.facts.device_types.at(0), c.device, std::int64_t(s.producer.raw()),
                                   std::int64_t(s.consumer.raw())));
        }
        consumer.put(s);
        Finish finish(c, gate, s.consumer.get());
        if (has_fence) {
            finish.within_a_moment();
        } else {
            ended = finish.within();
        }
    }
    s.producer.synchronize();
    s.consumer.synchronize();
    const Words found = consumer.leaves_on_host ? Words(s.read.words(), s.read.words() + n) : s.seen.download();
    ROW_EQ(c, found, Words(n, found[0]));
    return ended ? found[0] : 0;
}

void judge_order(Context& c, const Work& producer, const Work& consumer) {
    const std::string names = std::string(producer.name) + " before " + consumer.name;
    const std::int64_t fenced = value_read(c, producer, consumer, true);
    if (fenced != new_value) {
        c.fail(__FILE__, __LINE__,
               names + ": with a fence the consumer read " + std::to_string(fenced) + ", needed " +
                   std::to_string(new_value));
    }
    if (!c.toothless_because().empty()) return;  // each further look would take as long again
    if (value_read(c, producer, consumer, false) != old_value) {
        c.toothless(names + ": without a fence the consumer waits, or reads the same");
    }
}

}  // namespace

EAGLE_ROW("interop-order-of-kernels-and-copies", .covers = {Symbol::fence},
          .needs = {Symbol::stream_create, Symbol::memcpy, Symbol::host_func, Symbol::host_alloc, Symbol::host_free},
          .memory = true, .kernels = true) {
    for (const Work& producer : producers) {
        for (std::size_t i = 0; i + 1 < consumers.size(); ++i) {
            if (producer.on_host == consumers[i].on_host) judge_order(c, producer, consumers[i]);
        }
    }
}

// Apart: a device may run all host functions on one thread, where the gate is too.
EAGLE_ROW("interop-order-of-host-functions", .covers = {Symbol::fence, Symbol::host_func},
          .needs = {Symbol::stream_create, Symbol::memcpy, Symbol::host_alloc, Symbol::host_free}, .memory = true,
          .kernels = true) {
    for (const Work& producer : producers) {
        if (producer.on_host) judge_order(c, producer, consumers.back());
    }
}
