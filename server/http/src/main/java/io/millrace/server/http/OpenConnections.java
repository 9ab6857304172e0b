package io.millrace.server.http;

import io.netty.channel.Channel;
import io.netty.channel.ChannelHandler.Sharable;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import java.net.InetSocketAddress;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The connections that are open, overall and by address. Beyond a bound the one goes that has
 * waited longest for its client, and the newcomer is let in: connections that say nothing keep out
 * nobody, although those of all users of a host have one address. A newcomer is closed only when
 * all work.
 */
@Sharable
final class OpenConnections extends ChannelInboundHandlerAdapter {

  private static final Logger LOG = LoggerFactory.getLogger(OpenConnections.class);

  /** What a connection is doing. */
  enum Doing {
    /** Its client says nothing, or not yet who he is: such connections go first. */
    WAITS,
    /** Its client takes an answer: such connections go when none of the others is left. */
    SENDS,
    /** Something is done for its client, or he has proven who he is. */
    WORKS
  }

  private final HttpLimits.Connections limits;
  private final Map<Channel, String> open = new HashMap<>();
  private final Map<String, Address> byAddress = new HashMap<>();
  private final SparseLog log = new SparseLog(LOG::info, System::nanoTime);

  /** Connections of one address; each that may go is in the set of what it does, oldest first. */
  private static final class Address {
    private final Set<Channel> waiting = new LinkedHashSet<>();
    private final Set<Channel> sending = new LinkedHashSet<>();
    private int count;

    Channel oldest(Doing doing) {
      Set<Channel> some = doing == Doing.WAITS ? waiting : sending;
      return some.isEmpty() ? null : some.iterator().next();
    }

    int may(Doing doing) {
      return doing == Doing.WAITS ? waiting.size() : sending.size();
    }

    void put(Channel channel, Doing doing) {
      waiting.remove(channel);
      sending.remove(channel);
      if (doing == Doing.WAITS) {
        waiting.add(channel);
      } else if (doing == Doing.SENDS) {
        sending.add(channel);
      }
    }
  }

  OpenConnections(HttpLimits.Connections limits) {
    this.limits = limits;
  }

  static String address(ChannelHandlerContext context) {
    return context.channel().remoteAddress() instanceof InetSocketAddress peer
        ? peer.getAddress().getHostAddress()
        : "unknown";
  }

  @Override
  public void channelActive(ChannelHandlerContext context) throws Exception {
    Channel channel = context.channel();
    String address = address(context);
    if (!enter(channel, address)) {
      log.say("closed a connection of " + address + ": there are as many as may be");
      context.close();
      return;
    }
    channel.closeFuture().addListener(closed -> leave(channel, address));
    super.channelActive(context);
  }

  private synchronized boolean enter(Channel channel, String address) {
    Address here = byAddress.getOrDefault(address, new Address());
    if (here.count >= limits.ofAddress()) {
      if (!makeRoom(here, address)) {
        return false;
      }
    } else if (open.size() >= limits.all() && !makeRoom()) {
      return false;
    }
    byAddress.put(address, here);
    here.count++;
    open.put(channel, address);
    here.put(channel, Doing.WAITS);
    return true;
  }

  /** Of the address that has most of them. */
  private boolean makeRoom() {
    for (Doing doing : new Doing[] {Doing.WAITS, Doing.SENDS}) {
      String largest = null;
      for (Map.Entry<String, Address> each : byAddress.entrySet()) {
        int may = each.getValue().may(doing);
        if (may > (largest == null ? 0 : byAddress.get(largest).may(doing))) {
          largest = each.getKey();
        }
      }
      if (largest != null) {
        return makeRoom(byAddress.get(largest), largest);
      }
    }
    return false;
  }

  private boolean makeRoom(Address address, String name) {
    Channel waits = address.oldest(Doing.WAITS);
    Channel victim = waits == null ? address.oldest(Doing.SENDS) : waits;
    if (victim == null) {
      return false;
    }
    leave(victim, name);
    log.say("closed a connection of " + name + " that waited for its client: others come");
    victim.close();
    return true;
  }

  /** What a connection does from now on. */
  synchronized void now(Channel channel, Doing doing) {
    String address = open.get(channel);
    if (address != null) {
      byAddress.get(address).put(channel, doing);
    }
  }

  private synchronized void leave(Channel channel, String address) {
    if (open.remove(channel) == null) {
      return; // it made room for another one
    }
    Address here = byAddress.get(address);
    here.put(channel, Doing.WORKS);
    here.count--;
    if (here.count == 0) {
      byAddress.remove(address);
    }
  }

  synchronized int open() {
    return open.size();
  }
}
