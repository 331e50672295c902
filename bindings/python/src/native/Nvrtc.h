// NVIDIA's run-time compiler, opened when it is asked for.
#pragma once
#include <string>
#include <vector>

namespace hawk::native {

// The file stays open for the life of the process.
class Nvrtc {
  public:
    // Throws InvalidArgument with the system's words when the file cannot be opened or is no NVRTC.
    explicit Nvrtc(const std::string& path);

    int version() const;             // 1000 major + 10 minor, as CUDA numbers itself
    std::vector<int> archs() const;  // compute capabilities that it makes code for, as 90 for 9.0

    struct Outcome {
        std::string code, log;
        bool is_made = false;
    };
    // Compiles `source`, which is called `name` in messages, to PTX or to a cubin.
    Outcome compile(const std::string& source, const std::string& name, const std::vector<std::string>& options,
                    bool to_ptx) const;

  private:
    struct Functions;
    const Functions* f_;
};

}  // namespace hawk::native
