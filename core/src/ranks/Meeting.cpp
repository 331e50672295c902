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

void take_in(const State& ranks) {
    for (Message message; ranks.messages->receive(std::as_writable_bytes(std::span(&message, 1)));)
        ranks.inbox.push_back(message);
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
    Meeting(const State& ranks, Word& mine, std::exception_ptr& error, std::int64_t done)
        : ranks_(ranks), mine_(mine), error_(error), done_(done) {}

    std::vector<Word> words() {
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
            send(ranks_, (ranks_.rank + (1 << round)) % ranks_.size, message);
            sum.add(wait([&](const Message& m) { return m.kind == Message::sum && m.round == round; }).of);
        }
        return sum;
    }

    std::vector<Word> all_words() {
        Message message = message_of(ranks_, Message::word, mine_.meeting);
        message.said = mine_;
        send_all(ranks_, message);
        std::vector<Word> words(static_cast<std::size_t>(ranks_.size));
        words[static_cast<std::size_t>(ranks_.rank)] = mine_;
        for (int k = 1; k < ranks_.size; ++k) {
            const Message one = wait([](const Message& m) { return m.kind == Message::word; });
            words[static_cast<std::size_t>(one.from)] = one.said;
        }
        return words;
    }

    template <class Wanted>
    Message wait(const Wanted& wanted) {
        const Clock::time_point start = Clock::now();
        for (;;) {
            take_in(ranks_);
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

    void look() {
        if (!ranks_.messages->interrupted()) return;
        if (ranks_.interrupted.exchange(true)) give_up();
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
};

std::vector<Word> over_collective(const State& ranks, const Word& mine) {
    std::vector<Word> words(static_cast<std::size_t>(ranks.size));
    words[static_cast<std::size_t>(ranks.rank)] = mine;
    std::vector<std::int64_t> offsets;
    for (int r = 0; r <= ranks.size; ++r) offsets.push_back(r * static_cast<std::int64_t>(sizeof(Word)));
    ranks.exchange(words.data(), offsets);
    return words;
}

}  // namespace

std::vector<Word> meet(const State& ranks, Word mine, std::exception_ptr& error, std::int64_t done) {
    if (ranks.size == 1) return {mine};
    if (const std::string why = why_left(ranks); !why.empty())
        throw Error("these ranks meet no more: " + why + next_step);
    mine.meeting = ++ranks.meetings;
    ++met;
    if (!ranks.messages) return over_collective(ranks, mine);
    return Meeting(ranks, mine, error, done).words();
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

void ask_to_stop(const State& ranks) {
    if (ranks.messages) send_all(ranks, message_of(ranks, Message::stop, ranks.meetings + 1));
}

void end_call(const State& ranks, const std::string& call, std::int64_t done) {
    if (!ranks.interrupted.exchange(false)) return;
    const std::string why = "interrupted when this was done on every rank: " + call;
    leave(ranks, why, ranks.meetings + 1);
    throw Interrupted(why + next_step, done);
}

void leave(const State& ranks, const std::string& why, std::uint64_t meeting) {
    {
        const std::lock_guard lock(ranks.mutex);
        if (!ranks.left.empty()) return;
        ranks.left = why;
    }
    if (!ranks.messages) return;
    Message message = message_of(ranks, Message::left, meeting);
    put(message.said.text, why);
    send_all(ranks, message);
}

}  // namespace eagle::ranks
