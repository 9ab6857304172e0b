package io.millrace.schedulers.core.search;

import io.millrace.reservations.timeline.UsageProfile;
import io.millrace.schedulers.core.model.ChunkKind;
import io.millrace.schedulers.core.model.ResourceNames;
import io.millrace.schedulers.core.state.node.BookingProfile;
import io.millrace.schedulers.core.state.node.ExpectedEnd;
import io.millrace.schedulers.core.state.node.NodeState;
import io.millrace.schemas.pbs.resources.PlaceRequest.Sharing;
import java.util.Arrays;
import java.util.List;

/**
 * What bookings leave of a node to a job in a window.
 *
 * <p>Simple semantics: at each moment of the window the job takes what is neither in use by runs
 * and promises nor booked. Use grows only where a promise begins, and bookings grow only where one
 * of their steps begins; so these moments and the beginning of the window are looked at, and no
 * others. A job whose end is not known gets nothing of a node of which anything is booked later.
 */
final class BookingRoom {

  private static final long[] NOTHING = {};

  private final ResourceNames names;

  private long fromMs;
  private long toMs;

  /** Of the runs that end as the window begins, the last that has ended; null when all have. */
  private ExpectedEnd last;

  private boolean ignored;

  /** The least that is left in the window, by column of the node's profile. */
  private long[] least = {};

  BookingRoom(ResourceNames names) {
    this.names = names;
  }

  /**
   * @param beginMs {@link Long#MIN_VALUE} when it begins at once
   * @param lastEnd of the runs that end in that instant the last that has ended; null for all
   * @param any false when nothing at all is booked before the end, so that no node is asked
   */
  void within(long beginMs, long endMs, ExpectedEnd lastEnd, boolean any) {
    fromMs = beginMs;
    toMs = endMs;
    last = lastEnd;
    ignored = !any;
  }

  /** Bookings do not count until another window is opened. */
  void ignored() {
    ignored = true;
  }

  /** True when nothing is booked of the node in the window. */
  boolean none(NodeState node) {
    BookingProfile profile = node.bookings();
    return ignored || profile.firstMs() >= toMs || profile.freeIn(fromMs, toMs);
  }

  /** True when bookings let a job with this sharing onto the node at all. */
  boolean open(NodeState node, Sharing sharing) {
    if (ignored) {
      return true;
    }
    if (sharing == Sharing.EXCLHOST) {
      for (NodeState beside : node.host() == null ? List.<NodeState>of() : node.host().nodes()) {
        if (!none(beside)) {
          return false;
        }
      }
    }
    return toMs != UsageProfile.FOREVER && sharing == Sharing.SHARED
        ? !node.bookings().aloneIn(fromMs, toMs)
        : none(node);
  }

  /** Chunks of a kind for which there is room, at most as many as given. */
  int room(NodeState node, ChunkKind kind, int most, boolean withoutPromises) {
    return roomBeside(node, kind, most, NOTHING, withoutPromises);
  }

  /**
   * The same, for a job that has already taken something of the node.
   *
   * @param taken amounts by resource number
   */
  int roomBeside(NodeState node, ChunkKind kind, int most, long[] taken, boolean withoutPromises) {
    find(node, withoutPromises);
    long room = most;
    for (int i = 0; i < kind.resources().length && room > 0; i++) {
      long there = leastOf(node.bookings(), kind.resources()[i]);
      if (there != Long.MAX_VALUE) {
        long rest = there - ResourceNames.at(taken, kind.resources()[i]);
        room = rest < 0 ? 0 : Math.min(room, rest / kind.amounts()[i]);
      }
    }
    return (int) room;
  }

  /** True when amounts are left throughout the window. */
  boolean covers(NodeState node, long[] amounts, boolean withoutPromises) {
    find(node, withoutPromises);
    for (int k = 0; k < node.bookings().width(); k++) {
      int resource = node.bookings().resource(k);
      long amount = ResourceNames.at(amounts, resource);
      if (amount > 0 && amount > least[k] && !names.withoutLimit(resource)) {
        return false;
      }
    }
    return true;
  }

  private long leastOf(BookingProfile profile, int resource) {
    for (int k = 0; k < profile.width(); k++) {
      if (profile.resource(k) == resource) {
        return least[k];
      }
    }
    return Long.MAX_VALUE;
  }

  private void find(NodeState node, boolean withoutPromises) {
    BookingProfile profile = node.bookings();
    if (least.length < profile.width()) {
      least = new long[profile.width()];
    }
    Arrays.fill(least, 0, profile.width(), Long.MAX_VALUE);
    int step = Math.max(0, profile.stepAt(fromMs));
    for (int i = step; i < profile.steps() && profile.timeMs(i) < toMs; i++) {
      if (profile.count(i) > 0) {
        lower(node, i, Math.max(fromMs, profile.timeMs(i)), withoutPromises);
      }
    }
    for (int i = 0; i < node.promises().size() && !withoutPromises; i++) {
      long startMs = node.promises().fromMs(i);
      int then = startMs > fromMs && startMs < toMs ? profile.stepAt(startMs) : -1;
      if (then >= 0 && profile.count(then) > 0) {
        for (int k = 0; k < profile.width(); k++) {
          long left = ResourceNames.at(node.promises().left(i), profile.resource(k));
          least[k] = Math.min(least[k], left - profile.booked(then, k));
        }
      }
    }
  }

  /** Lowers what is least to what is left at a moment of a step. */
  private void lower(NodeState node, int step, long atMs, boolean withoutPromises) {
    BookingProfile profile = node.bookings();
    int passed = node.releases().passed(atMs, atMs == fromMs ? last : null);
    long[] freed = passed == 0 ? NOTHING : node.releases().freed(passed);
    for (int k = 0; k < profile.width(); k++) {
      int resource = profile.resource(k);
      long left =
          ResourceNames.at(node.free(), resource)
              + ResourceNames.at(freed, resource)
              - (withoutPromises ? 0 : node.promises().active(resource, atMs))
              - profile.booked(step, k);
      least[k] = Math.min(least[k], left);
    }
  }
}
