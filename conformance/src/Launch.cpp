#include <eagle/conformance/Launch.h>

namespace eagle::conformance {

Launch::Launch(Context& c, const std::string& entry) : c_(c), desc_(make<struct eagle_backend_launch_desc>()) {
    desc_.function = c.kernel(entry);
    desc_.device = c.device;
    desc_.block = 128;
    over(1);
}

Launch& Launch::over(std::int64_t count, std::int64_t base, std::int64_t n_samples) {
    desc_.base = base;
    desc_.count = count;
    desc_.n_samples = n_samples < 0 ? base + count : n_samples;
    return *this;
}

Launch& Launch::on(std::uint64_t stream) {
    desc_.stream = stream;
    return *this;
}

Launch& Launch::block(std::uint32_t threads) {
    desc_.block = threads;
    return *this;
}

Launch::Argument& Launch::add(std::size_t size) {
    sizes_.push_back(size);
    return arguments_.emplace_back();
}

const std::vector<std::uint64_t>& Launch::addresses() {
    addresses_.clear();
    for (const Argument& argument : arguments_) addresses_.push_back(reinterpret_cast<std::uint64_t>(&argument));
    return addresses_;
}

const struct eagle_backend_launch_desc& Launch::desc() {
    desc_.params = addresses().data();
    desc_.param_sizes = sizes_.data();
    desc_.nparams = static_cast<std::int64_t>(addresses_.size());
    return desc_;
}

void Launch::run() {
    std::int32_t launched = -1;
    if (c_.facts.provides(Symbol::run_device)) {
        ROW_OK(c_, c_.seam.run_device(&desc(), &launched));
    } else {
        ROW_OK(c_, c_.seam.sdk_launch(&desc(), nullptr, &launched));
    }
    ROW_EQ(c_, launched, desc_.count > 0 ? 1 : 0);
}

}  // namespace eagle::conformance
