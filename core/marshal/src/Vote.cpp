// One sample or a batch, and how many samples: the planes vote.
#include <eagle/Error.h>

#include <string>

#include "Arguments.h"
#include "Text.h"

namespace eagle::marshal {
namespace {

std::string batch_text(std::int64_t samples) {
    return "a batch of " + std::to_string(samples) + (samples == 1 ? " sample" : " samples");
}

[[noreturn]] void refuse_mix(const Arguments& a, std::size_t one, std::size_t batch) {
    const Parameter& p = a.parameter(one);
    std::int64_t samples = a.slots[batch].reading.samples;
    throw LayoutError(who(a.signature, p) + " has shape " + shape_text(a.slots[one].view) + ", one sample, while '" +
                      a.parameter(batch).name + "' holds " + batch_text(samples) +
                      "; a call is one sample or one batch, never both: give '" + p.name + "' the shape " +
                      native_text(p) + " with N = " + std::to_string(samples));
}

// The length that most planes have; the earliest of several that as many have.
std::size_t majority(const Arguments& a) {
    std::size_t best = a.count, most = 0;
    for (std::size_t i = 0; i < a.count; ++i) {
        if (!a.samples_plane(i)) continue;
        std::size_t same = 0;
        for (std::size_t k = 0; k < a.count; ++k)
            if (a.samples_plane(k) && a.slots[k].reading.samples == a.slots[i].reading.samples) ++same;
        if (same > most) {
            most = same;
            best = i;
        }
    }
    return best;
}

[[noreturn]] void refuse_length(const Arguments& a) {
    std::size_t winner = majority(a);
    std::int64_t samples = a.slots[winner].reading.samples;
    for (std::size_t i = 0; i < a.count; ++i) {
        if (!a.samples_plane(i) || a.slots[i].reading.samples == samples) continue;
        throw LayoutError(who(a.signature, a.parameter(i)) + " has " + std::to_string(a.slots[i].reading.samples) +
                          " samples, shape " + shape_text(a.slots[i].view) + "; it needs " + std::to_string(samples) +
                          ", as '" + a.parameter(winner).name + "' has");
    }
    throw Error("planes of kernel '" + a.signature.kernel + "' disagree in length");
}

}  // namespace

void vote(Arguments& a) {
    std::size_t one = a.count, batch = a.count;
    bool agree = true;
    for (std::size_t i = 0; i < a.count; ++i) {
        if (!a.samples_plane(i)) continue;
        const Reading& reading = a.slots[i].reading;
        if (reading.one) {
            if (one == a.count) one = i;
        } else if (batch == a.count) {
            batch = i;
        } else if (reading.samples != a.slots[batch].reading.samples) {
            agree = false;
        }
    }
    if (one < a.count && batch < a.count) refuse_mix(a, one, batch);
    if (!agree) refuse_length(a);
    if (batch == a.count) return;
    a.one = false;
    a.samples = a.slots[batch].reading.samples;
}

}  // namespace eagle::marshal
