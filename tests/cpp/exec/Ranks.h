// Ranks as threads of this process: what MPI does between processes, without MPI.
#pragma once
#include <eagle/RankMessages.h>

#include <barrier>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <deque>
#include <exception>
#include <functional>
#include <memory>
#include <mutex>
#include <span>
#include <string>
#include <thread>
#include <utility>
#include <vector>

namespace threaded {

// Letters between the threads.
class Post {
  public:
    explicit Post(int size) : boxes_(static_cast<std::size_t>(size)) {}
    void put(int rank, std::span<const std::byte> letter) {
        const std::lock_guard lock(mutex_);
        boxes_[static_cast<std::size_t>(rank)].emplace_back(letter.begin(), letter.end());
    }
    bool take(int rank, std::span<std::byte> letter) {
        const std::lock_guard lock(mutex_);
        auto& box = boxes_[static_cast<std::size_t>(rank)];
        if (box.empty()) return false;
        std::memcpy(letter.data(), box.front().data(), letter.size());
        box.pop_front();
        return true;
    }

  private:
    std::mutex mutex_;
    std::vector<std::deque<std::vector<std::byte>>> boxes_;
};

// `interrupted(rank)` is asked as a Ctrl-C; `room`: what the collective needs.
class Messages final : public eagle::RankMessages {
  public:
    Messages(Post& post, int rank, std::function<bool(int)> interrupted, std::vector<std::byte>& room)
        : post_(post), rank_(rank), interrupted_(std::move(interrupted)), room_(room) {}
    void send(int rank, std::span<const std::byte> message) override { post_.put(rank, message); }
    bool receive(std::span<std::byte> message) override { return post_.take(rank_, message); }
    bool interrupted() override { return interrupted_ && interrupted_(rank_); }
    void pause(double) override { std::this_thread::yield(); }
    std::function<void()> prepared(void*, std::span<const std::int64_t> offsets) override {
        if (rank_ == 0) room_.reserve(static_cast<std::size_t>(offsets.back()));
        return {};
    }

  private:
    Post& post_;
    int rank_;
    std::function<bool(int)> interrupted_;
    std::vector<std::byte>& room_;
};

struct Options {
    bool gather = true;
    bool messages = true;
    std::function<bool(int)> interrupted{};
    std::function<void(int)> exchanging{};  // called by each rank that enters the collective
};

// Runs `body` as each of `size` ranks; returns what each threw, "" for nothing.
inline std::vector<std::string> ranks(int size, const std::function<void(eagle::RankPartition)>& body,
                                      const Options& options = {}) {
    Post post(size);
    std::barrier meet(size);
    std::vector<std::byte> room;
    std::vector<std::string> errors(static_cast<std::size_t>(size));
    auto collective = [&](int rank) {
        return [&, rank](void* whole, std::span<const std::int64_t> offsets) {
            if (options.exchanging) options.exchanging(rank);
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
                body(eagle::ranks_with_messages(
                    rank, size, collective(rank),
                    options.messages ? std::make_shared<Messages>(post, rank, options.interrupted, room) : nullptr,
                    options.gather));
            } catch (const std::exception& error) {
                errors[static_cast<std::size_t>(rank)] = error.what();
            }
        });
    for (std::thread& thread : threads) thread.join();
    return errors;
}

}  // namespace threaded
