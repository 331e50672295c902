#include <eagle/Error.h>
#include <eagle/Exec.h>

#include <algorithm>
#include <string>

namespace eagle {

Partition Partition::whole(std::int64_t n_samples) { return {0, n_samples, n_samples}; }

std::vector<Partition> Partition::split(std::int64_t n_samples, int parts, std::int64_t multiple) {
    if (n_samples < 0 || parts < 1 || multiple < 1)
        throw InvalidArgument("cannot split " + std::to_string(n_samples) + " samples into " + std::to_string(parts) +
                              " parts at multiples of " + std::to_string(multiple) +
                              "; a split needs at least 0 samples, 1 part and a multiple of 1");
    const std::int64_t groups = n_samples / multiple + (n_samples % multiple != 0);
    const std::int64_t each = groups / parts, more = groups % parts;
    std::vector<Partition> out;
    std::int64_t from = 0;
    for (int i = 0; i < parts; ++i) {
        const std::int64_t size = (each + (i < more)) * multiple;
        const std::int64_t count = std::min(size, n_samples - from);
        out.push_back({from, count, n_samples});
        from += count;
    }
    return out;
}

void Partition::validate() const {
    auto refuse = [&](const char* field, std::int64_t value, const std::string& needed) {
        throw InvalidArgument("Partition(base=" + std::to_string(base) + ", count=" + std::to_string(count) +
                              ", n_samples=" + std::to_string(n_samples) + "): " + field + " is " +
                              std::to_string(value) + "; it must be " + needed);
    };
    if (n_samples < 0) refuse("n_samples", n_samples, "at least 0");
    if (base < 0 || base > n_samples) refuse("base", base, "from 0 to n_samples, " + std::to_string(n_samples));
    if (count < 0 || count > n_samples - base)
        refuse("count", count, "from 0 to n_samples - base, " + std::to_string(n_samples - base));
}

}  // namespace eagle
