#include "tools/emulation/Host.h"

#include <arpa/inet.h>
#include <fcntl.h>
#include <linux/if.h>
#include <linux/if_arp.h>
#include <linux/if_tun.h>
#include <sched.h>
#include <sys/ioctl.h>
#include <sys/socket.h>

#include <cerrno>
#include <cstring>

#include "runtime/status/Status.h"

namespace sbp::emulation {
namespace {

constexpr char kInterface[] = "eth0";
constexpr int kMostWaitingFrames = 10000;

absl::Status failed(const char* what) {
  return error("{}: {}", what, std::strerror(errno));
}

absl::StatusOr<FileDescriptor> openFile(const char* path, int flags) {
  FileDescriptor file(open(path, flags | O_CLOEXEC));
  if (!file.isOpen()) return failed(path);
  return file;
}

ifreq requestFor(const char* interface) {
  ifreq request = {};
  std::strncpy(request.ifr_name, interface, IFNAMSIZ - 1);
  return request;
}

absl::StatusOr<FileDescriptor> openTap() {
  SBP_ASSIGN_OR_RETURN(FileDescriptor tap,
                       openFile("/dev/net/tun", O_RDWR | O_NONBLOCK));
  ifreq request = requestFor(kInterface);
  request.ifr_flags = IFF_TAP | IFF_NO_PI | IFF_VNET_HDR;
  if (ioctl(tap.get(), TUNSETIFF, &request) != 0) return failed("TUNSETIFF");
  // Allows frames of up to 64 KB, as network cards do. This reduces the work to
  // a tenth.
  const unsigned offload = TUN_F_CSUM | TUN_F_TSO4 | TUN_F_TSO6;
  if (ioctl(tap.get(), TUNSETOFFLOAD, offload) != 0) {
    return failed("TUNSETOFFLOAD");
  }
  return tap;
}

// Configures the network interfaces of the calling thread's namespace.
class Interfaces {
 public:
  absl::Status configure(int64_t number) {
    control_ = FileDescriptor(socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0));
    if (!control_.isOpen()) return failed("socket");
    ifreq request = requestFor(kInterface);
    const unsigned char hardware[] = {
        2, 0, 0, 0, 0, static_cast<unsigned char>(number + 1)};
    request.ifr_hwaddr.sa_family = ARPHRD_ETHER;
    std::memcpy(request.ifr_hwaddr.sa_data, hardware, sizeof(hardware));
    SBP_RETURN_IF_ERROR(set(SIOCSIFHWADDR, "SIOCSIFHWADDR", request));
    request.ifr_qlen = kMostWaitingFrames;
    SBP_RETURN_IF_ERROR(set(SIOCSIFTXQLEN, "SIOCSIFTXQLEN", request));
    setAddress(request, addressOf(number));
    SBP_RETURN_IF_ERROR(set(SIOCSIFADDR, "SIOCSIFADDR", request));
    setAddress(request, "255.255.255.0");
    SBP_RETURN_IF_ERROR(set(SIOCSIFNETMASK, "SIOCSIFNETMASK", request));
    request.ifr_flags = IFF_UP | IFF_RUNNING;
    SBP_RETURN_IF_ERROR(set(SIOCSIFFLAGS, "SIOCSIFFLAGS", request));
    request = requestFor("lo");
    request.ifr_flags = IFF_UP | IFF_RUNNING;
    return set(SIOCSIFFLAGS, "SIOCSIFFLAGS", request);
  }

 private:
  static void setAddress(ifreq& request, const std::string& text) {
    sockaddr_in address = {};
    address.sin_family = AF_INET;
    inet_pton(AF_INET, text.c_str(), &address.sin_addr);
    std::memcpy(&request.ifr_addr, &address, sizeof(address));
  }

  absl::Status set(unsigned long what, const char* name, ifreq& request) {
    if (ioctl(control_.get(), what, &request) != 0) return failed(name);
    return absl::OkStatus();
  }

  FileDescriptor control_;
};

// Switches off TCP's slow start after a connection was idle. A connection is
// idle while a program computes, but never during a calibration. With slow
// start, a calibration would measure a faster network than programs have.
absl::Status keepWindowsOpen() {
  SBP_ASSIGN_OR_RETURN(
      const FileDescriptor setting,
      openFile("/proc/sys/net/ipv4/tcp_slow_start_after_idle", O_WRONLY));
  if (write(setting.get(), "0", 1) != 1) {
    return failed("tcp_slow_start_after_idle");
  }
  return absl::OkStatus();
}

}  // namespace

std::string addressOf(int64_t number) {
  return fmt::format("10.77.0.{}", number + 1);
}

int64_t destinationOf(const unsigned char* address) {
  const bool isForMany = address[0] & 1;
  return isForMany ? -1 : address[5] - 1;
}

absl::StatusOr<Host> Host::create(int64_t number) {
  if (unshare(CLONE_NEWNET | CLONE_NEWIPC) != 0) return failed("unshare");
  Host host;
  SBP_ASSIGN_OR_RETURN(host.network_,
                       openFile("/proc/thread-self/ns/net", O_RDONLY));
  SBP_ASSIGN_OR_RETURN(host.ipc_,
                       openFile("/proc/thread-self/ns/ipc", O_RDONLY));
  SBP_ASSIGN_OR_RETURN(host.tap_, openTap());
  SBP_RETURN_IF_ERROR(Interfaces().configure(number));
  SBP_RETURN_IF_ERROR(keepWindowsOpen());
  return absl::StatusOr<Host>(std::move(host));
}

absl::Status Host::enter() const {
  if (setns(network_.get(), CLONE_NEWNET) != 0) return failed("setns");
  if (setns(ipc_.get(), CLONE_NEWIPC) != 0) return failed("setns");
  return absl::OkStatus();
}

}  // namespace sbp::emulation
