// Ranks as threads of this process: what MPI does between processes, without MPI.
#pragma once
#include <eagle/Ranks.h>

#include <barrier>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <exception>
#include <functional>
#include <span>
#include <string>
#include <thread>
#include <vector>

namespace threaded {

// Runs `body` as each of `size` ranks; returns what each threw, "" for nothing.
inline std::vector<std::string> ranks(int size, const std::function<void(eagle::RankPartition)>& body,
                                      bool gather = true) {
    std::barrier meet(size);
    std::vector<std::byte> room;
    std::vector<std::string> errors(static_cast<std::size_t>(size));
    auto collective = [&](int rank) {
        return [&, rank](void* whole, std::span<const std::int64_t> offsets) {
            auto* const bytes = static_cast<std::byte*>(whole);
            const auto r = static_cast<std::size_t>(rank);
            if (rank == 0) room.resize(static_cast<std::size_t>(offsets.back()));
            meet.arrive_and_wait();
            if (offsets[r + 1] > offsets[r])
                std::memcpy(room.data() + offsets[r], bytes + offsets[r],
                            static_cast<std::size_t>(offsets[r + 1] - offsets[r]));
            meet.arrive_and_wait();
            if (!room.empty()) std::memcpy(bytes, room.data(), room.size());
            meet.arrive_and_wait();
        };
    };
    std::vector<std::thread> threads;
    for (int rank = 0; rank < size; ++rank)
        threads.emplace_back([&, rank] {
            try {
                body(eagle::RankPartition(rank, size, collective(rank), gather));
            } catch (const std::exception& error) {
                errors[static_cast<std::size_t>(rank)] = error.what();
            }
        });
    for (std::thread& thread : threads) thread.join();
    return errors;
}

}  // namespace threaded
