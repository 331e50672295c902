#include "ranks/Meeting.h"

#include <eagle/Plan.h>

#include <algorithm>
#include <chrono>
#include <cstring>
#include <iterator>
#include <mutex>

#include "ranks/State.h"

namespace eagle::ranks {
namespace {

using State = RankPartition::State;
using Clock = std::chrono::steady_clock;

thread_local std::uint64_t met = 0;

constexpr const char* next_step = "; make a new RankPartition on every rank";

std::string name_of(const State& ranks, int rank) {
    return "rank " + std::to_string(rank) + " of " + std::to_string(ranks.size);
}

// Where a rank cannot turn back, what fails is done again: memory that ran out may be there in a while.
template <class Body>
void persist(const State& ranks, const Body& body) {
    for (int tried = 1;; ++tried) {
        try {
            return body();
        } catch (...) {
            if (tried == 1000) throw;
        }
        ranks.messages->pause(1e-3);
    }
}

void send(const State& ranks, int rank, const Message& message) {
    ranks.messages->send(rank, std::as_bytes(std::span(&message, 1)));
}

void send_all(const State& ranks, const Message& message) {
    for (int rank = 0; rank < ranks.size; ++rank)
        if (rank != ranks.rank) send(ranks, rank, message);
}

Message message_of(const State& ranks, Message::Kind kind, std::uint64_t meeting) {
    Message message;
    message.kind = kind;
    message.from = ranks.rank;
    message.meeting = meeting;
    return message;
}

// There is room for a message before it is taken.
void take_in(const State& ranks) {
    for (Message message;; ranks.inbox.push_back(message)) {
        if (ranks.inbox.size() == ranks.inbox.capacity()) ranks.inbox.reserve(2 * ranks.inbox.size());
        if (!ranks.messages->receive(std::as_writable_bytes(std::span(&message, 1)))) return;
    }
}

// Of meetings that are over.
void forget_before(const State& ranks, std::uint64_t meeting) {
    std::erase_if(ranks.inbox, [&](const Message& m) { return m.meeting < meeting && m.kind != Message::left; });
}

std::string why_left(const State& ranks) {
    const std::lock_guard lock(ranks.mutex);
    return ranks.left;
}

[[noreturn]] void throw_left(const State& ranks, const Message& message) {
    const std::string why = name_of(ranks, message.from) + " has left the calls of these ranks: " + message.said.text;
    leave(ranks, why, ranks.meetings);
    throw Error(why + next_step);
}

// Who has left before that meeting.
const Message* leaver(const State& ranks, std::uint64_t meeting) {
    for (const Message& message : ranks.inbox)
        if (message.kind == Message::left && message.meeting <= meeting) return &message;
    return nullptr;
}

// One meeting of this rank.
class Meeting {
  public:
    Meeting(const State& ranks, Word& mine, std::exception_ptr& error, std::int64_t done, Waits waits)
        : ranks_(ranks), mine_(mine), error_(error), done_(done), stays_(waits == Waits::staying) {}

    std::span<const Word> words() {
        forget_before(ranks_, mine_.meeting);
        look();
        fail_if_interrupted();
        if (agreed().alike()) return {};
        fail_if_interrupted();
        return all_words();
    }

  private:
    // By dissemination (Hensgen, Finkel, Manber 1988): in round k to the rank that is 2^k further on.
    Sum agreed() {
        Sum sum = Sum::of(mine_);
        for (std::uint32_t round = 0; (1 << round) < ranks_.size; ++round) {
            Message message = message_of(ranks_, Message::sum, mine_.meeting);
            message.round = round;
            message.of = sum;
            surely([&] { send(ranks_, (ranks_.rank + (1 << round)) % ranks_.size, message); });
            sum.add(wait([&](const Message& m) { return m.kind == Message::sum && m.round == round; }).of);
        }
        return sum;
    }

    std::span<const Word> all_words() {
        Message message = message_of(ranks_, Message::word, mine_.meeting);
        message.said = mine_;
        for (int rank = 0; rank < ranks_.size; ++rank)
            if (rank != ranks_.rank) surely([&] { send(ranks_, rank, message); });
        std::vector<Word>& words = ranks_.words;
        words[static_cast<std::size_t>(ranks_.rank)] = mine_;
        for (int rank = 0; rank < ranks_.size; ++rank)
            if (rank != ranks_.rank)
                words[static_cast<std::size_t>(rank)] =
                    wait([rank](const Message& m) { return m.kind == Message::word && m.from == rank; }).said;
        return words;
    }

    template <class Wanted>
    Message wait(const Wanted& wanted) {
        const Clock::time_point start = Clock::now();
        for (;;) {
            surely([&] { take_in(ranks_); });
            if (const Message* const gone = leaver(ranks_, mine_.meeting)) throw_left(ranks_, Message(*gone));
            const auto found = std::find_if(ranks_.inbox.begin(), ranks_.inbox.end(),
                                            [&](const Message& m) { return m.meeting == mine_.meeting && wanted(m); });
            if (found != ranks_.inbox.end()) {
                const Message message = *found;
                ranks_.inbox.erase(found);
                return message;
            }
            look();
            const double waited = std::chrono::duration<double>(Clock::now() - start).count();
            ranks_.messages->pause(waited < 50e-6 ? 0 : std::min(1e-3, 0.05 * waited));
        }
    }

    // A word that is half out keeps the others waiting.
    template <class Body>
    void surely(const Body& body) {
        stays_ ? persist(ranks_, body) : body();
    }

    void look() {
        if (!ranks_.messages->interrupted()) return;
        const bool again = ranks_.interrupted.exchange(true);
        if (stays_) return;
        if (again) give_up();
        send_all(ranks_, message_of(ranks_, Message::stop, mine_.meeting));
    }

    [[noreturn]] void give_up() {
        const std::string why = words_of_interruption() + ", a second time";
        leave(ranks_, why, mine_.meeting);
        throw Interrupted(why + next_step, done_);
    }

    void fail_if_interrupted() {
        if (!ranks_.interrupted || mine_.failed == Word::own) return;
        ranks_.interrupted = false;
        error_ = std::make_exception_ptr(Interrupted(words_of_interruption(), done_));
        mine_.failed = Word::own;
        put(mine_.text, words_of_interruption());
    }

    std::string words_of_interruption() const {
        return std::string("interrupted while waiting for the other ranks in: ") + mine_.call;
    }

    const State& ranks_;
    Word& mine_;
    std::exception_ptr& error_;
    std::int64_t done_;
    bool stays_;
};

// What ended a meeting, where that is not the meeting itself.
void leave_with_what_is_thrown(const State& ranks) noexcept {
    try {
        throw;
    } catch (const std::exception& known) {
        leave(ranks, known.what(), ranks.meetings);
    } catch (...) {
        leave(ranks, "something that is no exception of C++", ranks.meetings);
    }
}

std::span<const Word> over_collective(const State& ranks, const Word& mine) {
    ranks.words[static_cast<std::size_t>(ranks.rank)] = mine;
    if (ranks.size > 1) ranks.allgather(ranks.words.data(), ranks.word_offsets);
    return ranks.words;
}

}  // namespace

std::span<const Word> meet(const State& ranks, Word mine, std::exception_ptr& error, std::int64_t done, Waits waits) {
    if (ranks.size == 1) return over_collective(ranks, mine);
    if (const std::string why = why_left(ranks); !why.empty())
        throw Error("these ranks no longer work together: " + why + next_step);
    mine.meeting = ++ranks.meetings;
    ++met;
    if (!ranks.messages) return over_collective(ranks, mine);
    try {
        return Meeting(ranks, mine, error, done, waits).words();
    } catch (...) {
        leave_with_what_is_thrown(ranks);
        throw;
    }
}

std::uint64_t meetings_of_this_thread() noexcept { return met; }

void look_for_stop(const State& ranks) {
    if (!ranks.messages) return;
    take_in(ranks);
    const std::uint64_t next = ranks.meetings + 1;
    for (const Message& message : ranks.inbox)
        if ((message.kind == Message::stop && message.meeting == next) ||
            (message.kind == Message::left && message.meeting <= next))
            throw AskedToStop("stopped, because " + name_of(ranks, message.from) + " could not go on");
}

void ask_to_stop(const State& ranks, bool interrupted) noexcept {
    if (!ranks.messages) return;
    if (interrupted) ranks.interrupted = true;
    try {
        send_all(ranks, message_of(ranks, Message::stop, ranks.meetings + 1));
    } catch (...) {  // they hear of it at the meeting
    }
}

bool take_interruption(const State& ranks) noexcept { return ranks.interrupted.exchange(false); }

void leave_when_done(const State& ranks, const std::string& call, std::int64_t done) {
    const std::string why = "interrupted when this was done on every rank: " + call;
    leave(ranks, why, ranks.meetings + 1);
    throw Interrupted(why + next_step, done);
}

void leave(const State& ranks, std::string_view why, std::uint64_t meeting) noexcept {
    {
        const std::lock_guard lock(ranks.mutex);
        if (!ranks.left.empty()) return;
        try {
            ranks.left = why;
        } catch (...) {
            ranks.left = "out of memory";  // short enough to need none
        }
    }
    if (!ranks.messages) return;
    Message message = message_of(ranks, Message::left, meeting);
    put(message.said.text, why);
    for (int rank = 0; rank < ranks.size; ++rank) {
        if (rank == ranks.rank) continue;
        try {
            persist(ranks, [&] { send(ranks, rank, message); });
        } catch (...) {  // this rank has left, and that is what a later call says
        }
    }
}

}  // namespace eagle::ranks
