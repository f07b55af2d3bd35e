#include "runtime/bootstrap/Rendezvous.h"

#include <unistd.h>

#include <chrono>
#include <thread>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "runtime/bootstrap/testing/ProcessToken.h"

namespace sbp::bootstrap {
namespace {

using testing::HasSubstr;

Environment member(int64_t rank, int64_t size) {
  Environment env;
  env.rank = rank;
  env.size = size;
  env.meetingPoint.socketName =
      "rendezvous-test-" + std::to_string(processToken()) + "-" +
      testing::UnitTest::GetInstance()->current_test_info()->name();
  return env;
}

// What each of the given ranks finds when they try to meet at the same time.
std::vector<absl::StatusOr<Meeting>> meetAll(
    const std::vector<Environment>& environments, double timeoutSeconds) {
  std::vector<absl::StatusOr<Meeting>> results(environments.size());
  std::vector<std::thread> threads;
  for (size_t i = 0; i < environments.size(); ++i) {
    threads.emplace_back(
        [&, i] { results[i] = meet(environments[i], timeoutSeconds); });
  }
  for (std::thread& thread : threads) thread.join();
  return results;
}

std::string messageOf(const absl::StatusOr<Meeting>& result) {
  return std::string(result.status().message());
}

TEST(Rendezvous, TellsEverybodyWhoIsWho) {
  std::vector<Environment> environments;
  for (int64_t rank = 0; rank < 8; ++rank) {
    environments.push_back(member(rank, 8));
  }
  auto results = meetAll(environments, 20);
  for (int64_t rank = 0; rank < 8; ++rank) {
    ASSERT_TRUE(results[rank].ok()) << results[rank].status();
    ASSERT_EQ(results[rank]->members.size(), 8);
    EXPECT_EQ(results[rank]->members[5].rank, 5);
    EXPECT_EQ(results[rank]->members[5].pid, getpid());
    EXPECT_EQ(results[rank]->channels.size(), rank == 0 ? 8 : 1);
  }
}

TEST(Rendezvous, NamesTheRanksThatDoNotCome) {
  auto results = meetAll({member(0, 5), member(2, 5)}, 0.5);
  EXPECT_THAT(messageOf(results[0]), HasSubstr("3 of 5 ranks did not come"));
  EXPECT_THAT(messageOf(results[0]), HasSubstr("ranks 1, 3, 4"));
  EXPECT_TRUE(absl::IsAborted(results[1].status()));
  EXPECT_EQ(messageOf(results[1]), messageOf(results[0]));
}

TEST(Rendezvous, WithoutRankZeroEndsInTime) {
  auto begin = std::chrono::steady_clock::now();
  auto results = meetAll({member(1, 2)}, 0.5);
  EXPECT_THAT(messageOf(results[0]), HasSubstr("did not find rank 0"));
  EXPECT_LT(std::chrono::steady_clock::now() - begin, std::chrono::seconds(5));
}

TEST(Rendezvous, RefusesARankTwice) {
  auto results = meetAll({member(0, 3), member(1, 3), member(1, 3)}, 20);
  EXPECT_THAT(messageOf(results[0]), HasSubstr("the same rank: rank 1"));
  EXPECT_FALSE(results[1].ok());
  EXPECT_FALSE(results[2].ok());
}

TEST(Rendezvous, RefusesAnotherSize) {
  auto results = meetAll({member(0, 3), member(1, 2)}, 20);
  EXPECT_THAT(messageOf(results[0]), HasSubstr("in a world of 2 ranks"));
  EXPECT_THAT(messageOf(results[1]), HasSubstr("in a world of 2 ranks"));
}

TEST(Rendezvous, DoesNotMindStrangers) {
  Environment hub = member(0, 2);
  std::thread strangers([&] {
    auto deadline = std::chrono::steady_clock::now() + std::chrono::seconds(10);
    for (std::string text : {"", "GET / HTTP/1.1\r\n\r\n", "\1\0\0\0\1x"}) {
      auto socket = connectTo(hub.meetingPoint, deadline);
      ASSERT_TRUE(socket.ok());
      ASSERT_EQ(write(socket->fd(), text.data(), text.size()), text.size());
    }
  });
  std::thread late([&] {
    strangers.join();
    EXPECT_TRUE(meet(member(1, 2), 20).ok());
  });
  EXPECT_TRUE(meet(hub, 20).ok());
  late.join();
}

TEST(Rendezvous, SaysThatItsPortIsTaken) {
  Environment hub = member(0, 2);
  auto taken = listenAt(hub.meetingPoint);
  ASSERT_TRUE(taken.ok());
  EXPECT_THAT(messageOf(meet(hub, 1)), HasSubstr("cannot listen"));
}

TEST(Rendezvous, WorksOverTcp) {
  Environment hub = member(0, 2), other = member(1, 2);
  hub.meetingPoint = {"", "127.0.0.1", 20000 + int(processToken() % 10000)};
  other.meetingPoint = hub.meetingPoint;
  other.meetingPoint.host = "localhost";
  auto results = meetAll({hub, other}, 20);
  EXPECT_TRUE(results[0].ok()) << results[0].status();
  EXPECT_TRUE(results[1].ok()) << results[1].status();
}

TEST(Channel, KeepsMessagesWholeAndInOrder) {
  Environment hub = member(0, 2);
  auto listener = listenAt(hub.meetingPoint);
  ASSERT_TRUE(listener.ok());
  auto deadline = std::chrono::steady_clock::now() + std::chrono::seconds(5);
  Channel sender(*connectTo(hub.meetingPoint, deadline));
  Channel receiver(acceptFrom(*listener));
  std::vector<std::string> texts = {"", "short", std::string(3'000'000, 'x')};
  for (const std::string& text : texts) {
    sender.send(MessageKind::kVerdict, text);
  }
  std::vector<std::string> received;
  while (received.size() < texts.size()) {
    sender.flush();
    for (const Message& message : receiver.receive()) {
      EXPECT_EQ(message.kind, MessageKind::kVerdict);
      received.push_back(message.text);
    }
  }
  EXPECT_EQ(received, texts);
  sender = Channel();
  EXPECT_TRUE(receiver.receive().empty());
  EXPECT_TRUE(receiver.isClosed());
}

TEST(Texts, ComeApartAsTheyWereJoined) {
  std::vector<std::string> texts = {"a", "", std::string("\0b", 2)}, split;
  EXPECT_TRUE(splitTexts(joinTexts(texts), split));
  EXPECT_EQ(split, texts);
  EXPECT_FALSE(splitTexts("abc", split));
  EXPECT_FALSE(splitTexts(std::string("\xff\0\0\0x", 5), split));
}

}  // namespace
}  // namespace sbp::bootstrap
