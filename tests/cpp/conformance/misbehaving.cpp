// Rows that pass, fail, crash, hang, throw, end the process or have no teeth, whatever the backend does.
#include <eagle/conformance/Context.h>
#include <eagle/conformance/Program.h>
#include <eagle/conformance/Row.h>
#include <unistd.h>

#include <chrono>
#include <csignal>
#include <cstdlib>
#include <iostream>
#include <stdexcept>
#include <string_view>
#include <thread>

using namespace eagle::conformance;

EAGLE_ROW("core-test-passes", .covers = {Symbol::probe}, .devices = 0) {
    std::cout << "a backend that prints\n" << std::flush;
    ROW_EQ(c, 1, 1);
}

EAGLE_ROW("core-test-fails", .covers = {Symbol::probe}, .devices = 0) {
    ROW_EQ(c, 1 + 1, 3);
    ROW_EQ(c, (std::vector<int>{1, 2, 3}), (std::vector<int>{1, 2, 4}));
    ROW_REQUIRE(c, c.device < 0);
    ROW_EXPECT(c, c.device < -1);  // not reached
}

EAGLE_ROW("core-test-crashes", .covers = {Symbol::probe}, .devices = 0) {
    std::signal(SIGSEGV, SIG_DFL);  // a sanitizer's handler would exit
    std::raise(SIGSEGV);
}

EAGLE_ROW("core-test-hangs", .covers = {Symbol::probe}, .devices = 0) {
    for (;;) std::this_thread::sleep_for(std::chrono::seconds(1));
}

EAGLE_ROW("core-test-throws", .covers = {Symbol::probe}, .devices = 0) { throw std::runtime_error("thrown by a row"); }

EAGLE_ROW("core-test-exits", .covers = {Symbol::probe}, .devices = 0) { std::_Exit(0); }

EAGLE_ROW("core-test-leaves-a-trap", .covers = {Symbol::probe}, .devices = 0) {
    std::atexit([] { std::abort(); });
}

EAGLE_ROW("core-test-never-ends", .covers = {Symbol::probe}, .devices = 0) {
    std::atexit([] {
        for (;;) std::this_thread::sleep_for(std::chrono::seconds(1));
    });
}

EAGLE_ROW("core-test-toothless", .covers = {Symbol::probe}, .devices = 0) { c.toothless("nothing could go wrong"); }

EAGLE_ROW("core-test-with-two-devices", .covers = {Symbol::probe}, .devices = 2) { ROW_EXPECT(c, false); }

EAGLE_ROW("core-test-wrong-status", .covers = {Symbol::capabilities}, .devices = 0) {
    ROW_STATUS(c, c.seam.capabilities(nullptr), EAGLE_BACKEND_INDEX);
    ROW_OK(c, c.seam.capabilities(nullptr));
    ROW_EXPECT(c, false);  // not reached
}

// Of the descriptors any may be the one that the judge reads.
void write_everywhere(std::string_view text) {
    for (int descriptor = 3; descriptor < 16; ++descriptor) (void)!::write(descriptor, text.data(), text.size());
}

EAGLE_ROW("core-test-writes-a-report", .covers = {Symbol::probe}, .devices = 0) {
    write_everywhere("{\"ends\": \"core-test-writes-a-report\"}\n");
}

EAGLE_ROW("core-test-writes-half-a-report", .covers = {Symbol::probe}, .devices = 0) {
    write_everywhere("a debug line");
}

EAGLE_ROW("core-test-zzz-is-last", .covers = {Symbol::probe}, .devices = 0) {}

int main(int argc, char** argv) { return run_program(argc, argv); }
