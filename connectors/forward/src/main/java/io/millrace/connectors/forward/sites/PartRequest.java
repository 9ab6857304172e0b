package io.millrace.connectors.forward.sites;

import io.millrace.connectors.forward.sites.SiteDoor.SiteReply;
import io.millrace.schemas.common.CommandId;
import io.millrace.schemas.state.PartState;
import io.millrace.schemas.state.ReservationWhole;
import io.millrace.schemas.state.SitePart;
import io.millrace.schemas.state.SiteWish;
import io.millrace.schemas.state.WholePart;
import io.millrace.schemas.state.WholeState;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.regex.Pattern;

/**
 * What is to be done about one part in another installation, and what became of it. Each request
 * may be done again, by whoever: a reservation is asked for under one id, so that it is made once;
 * what follows is settled by what is there.
 */
final class PartRequest {

  /** What a part needs now. */
  enum Need {
    HOLD,
    COMMIT,
    LOOK,
    END,
    NOTHING
  }

  /**
   * What became of it.
   *
   * @param state as far as it is known now; never before that of the record
   * @param why why it is gone, or what is in the way
   * @param shown its state there; empty when it was not seen
   */
  record PartNews(
      PartState state, String id, boolean hopeless, String why, String shown, List<String> lost) {}

  /** Doors take an id for an hour; what was asked for under an older one has ended by itself. */
  static final long ID_MS = 50 * 60_000L;

  private static final int HOLD_S = 15;
  private static final int SETTLE_S = 10;
  private static final Pattern NAME = Pattern.compile("R[0-9]{1,18}");

  /** Exit statuses by which commands say that they were refused and nothing came of them. */
  private static final Set<Integer> REFUSED = Set.of(1, 2);

  /** With these words it passes on what a shard has decided under the id of the request. */
  private static final String DENIED = "plus_reserve: denied";

  private static final Set<String> ENDING = Set.of("BEING_DELETED", "DELETING_JOBS");

  private final ReservationWhole whole;
  private final WholePart part;
  private final SiteDoor door;
  private final long nowMs;
  private final boolean first;
  private boolean sent;

  /**
   * @param index of a part in another installation
   * @param first whether nobody can have asked for it before
   */
  PartRequest(ReservationWhole whole, int index, SiteDoor door, long nowMs, boolean first) {
    this.whole = whole;
    this.part = whole.getParts().get(index);
    this.door = door;
    this.nowMs = nowMs;
    this.first = first;
  }

  /** Whether it was asked for just now, as far as is known. */
  boolean wasSent() {
    return sent;
  }

  static Need need(ReservationWhole whole, WholePart part) {
    if (part.getThere() == null || part.getState() == PartState.GONE) {
      return Need.NOTHING;
    }
    if (whole.getState() == WholeState.ENDING) {
      return Need.END;
    }
    return switch (part.getState()) {
      case ASKED -> whole.getState() == WholeState.HOLDING ? Need.HOLD : Need.NOTHING;
      case HELD -> whole.getState() == WholeState.CONFIRMING ? Need.COMMIT : Need.NOTHING;
      case COMMITTED -> Need.LOOK;
      case GONE -> Need.NOTHING;
    };
  }

  /** Asks the other installation for the next thing that is needed. */
  PartNews run() throws InterruptedException {
    return switch (need(whole, part)) {
      case HOLD -> hold();
      case COMMIT -> commit();
      case LOOK -> look();
      case END -> end();
      case NOTHING -> unchanged("", false);
    };
  }

  /**
   * A refusal of the first attempt says that there is nothing. One of a later attempt does not,
   * since the one before may have been carried out: but what a shard has denied under this id it
   * has denied for all of them.
   */
  private PartNews hold() throws InterruptedException {
    if (isOld(part.getThere().getHoldId())) {
      return unchanged("nothing was heard of it in time", false);
    }
    SiteWish wish = part.getThere().getWish();
    String at = wish.getPartition() + "=" + wish.getNodes();
    List<String> words = new ArrayList<>(List.of("plus_reserve", "-T", "--at", at));
    words.addAll(whole.getArguments());
    SiteReply reply = command(part.getThere().getHoldId(), HOLD_S, words);
    boolean undone = reply instanceof SiteReply.Unknown unknown && unknown.undone();
    sent = !undone;
    if (reply instanceof SiteReply.Said said && said.status() == 0) {
      String id = said.out().strip();
      return NAME.matcher(id).matches()
          ? new PartNews(PartState.HELD, id, false, "", "", List.of())
          : unchanged("its answer is not understood: " + line(id), true);
    }
    if (reply instanceof SiteReply.Said said && REFUSED.contains(said.status())) {
      boolean nothing = first || line(said.err()).startsWith(DENIED);
      return nothing ? gone(refusal(said)) : unchanged(refusal(said), true);
    }
    return first && undone && reply instanceof SiteReply.Unknown unknown && unknown.hopeless()
        ? gone(unknown.why())
        : unclear(reply);
  }

  private PartNews commit() throws InterruptedException {
    String id = part.getReservationId();
    SiteReply reply = settle(List.of("plus_commit", "-r", id));
    if (reply instanceof SiteReply.Said said && REFUSED.contains(said.status())) {
      SiteReply now = door.look(site(), id);
      if (now instanceof SiteReply.Absent) {
        return gone("the commit came too late, what was held there had ended");
      }
      if (now instanceof SiteReply.ShownThere seen) {
        return committed(seen)
            ? seen(PartState.COMMITTED, seen)
            : unchanged("its commit was refused: " + refusal(said), false);
      }
      return unclear(now);
    }
    return reply instanceof SiteReply.Said said && said.status() == 0
        ? new PartNews(PartState.COMMITTED, id, false, "", "CONFIRMED", List.of())
        : unclear(reply);
  }

  private static boolean committed(SiteReply.ShownThere seen) {
    return seen.open().isEmpty() && !ENDING.contains(seen.state());
  }

  private PartNews look() throws InterruptedException {
    SiteReply reply = door.look(site(), part.getReservationId());
    if (reply instanceof SiteReply.Absent) {
      return gone(nowMs >= whole.getEndMs() ? "its time is over" : "it is there no more");
    }
    return reply instanceof SiteReply.ShownThere seen
        ? seen(PartState.COMMITTED, seen)
        : unclear(reply);
  }

  /** What was asked for and not heard of is asked for again, so that it can be given back. */
  private PartNews end() throws InterruptedException {
    String id = part.getReservationId();
    if (id.isEmpty() && first) {
      return gone("");
    }
    if (id.isEmpty()) {
      PartNews held = hold();
      if (held.state() != PartState.HELD) {
        return held;
      }
      id = held.id();
    }
    SiteReply before = door.look(site(), id);
    if (before instanceof SiteReply.Absent) {
      return gone("");
    }
    if (!(before instanceof SiteReply.ShownThere seen)) {
      return unclear(before);
    }
    boolean held = seen.open().equals("reserve");
    String word = held ? "plus_abort" : whole.getForget() ? "plus_destroy" : "plus_cancel";
    if (!ENDING.contains(seen.state())) {
      SiteReply reply = settle(List.of(word, "-r", id));
      if (!(reply instanceof SiteReply.Said said) || !settled(said)) {
        return unclear(reply);
      }
    }
    SiteReply after = door.look(site(), id);
    if (after instanceof SiteReply.Absent) {
      return gone("");
    }
    return after instanceof SiteReply.ShownThere still
        ? unchanged("it is not gone yet there, " + still.state(), false)
        : unclear(after);
  }

  private static boolean settled(SiteReply.Said said) {
    return said.status() == 0 || REFUSED.contains(said.status());
  }

  /**
   * What was refused once would be refused again under the same id, whatever has changed; what is
   * settled may be settled again under another one.
   */
  private SiteReply settle(List<String> words) throws InterruptedException {
    SitePart there = part.getThere();
    CommandId id = there.getSettleId() == null ? there.getHoldId() : there.getSettleId();
    SiteReply reply = isOld(id) ? null : command(id, SETTLE_S, words);
    boolean refused = reply instanceof SiteReply.Said said && REFUSED.contains(said.status());
    return reply == null || refused
        ? door.command(site(), key(id, words.get(0) + nowMs, nowMs), SETTLE_S, words)
        : reply;
  }

  private SiteReply command(CommandId id, int seconds, List<String> words)
      throws InterruptedException {
    return door.command(site(), key(id, words.get(0), timeMs(id)), seconds, words);
  }

  private boolean isOld(CommandId id) {
    return nowMs - timeMs(id) > ID_MS;
  }

  private static long timeMs(CommandId id) {
    return ByteBuffer.wrap(id.bytes()).getLong() >>> 16;
  }

  /** A UUID of version 7 of this time, the same for the same command. */
  static UUID key(CommandId id, String name, long timeMs) {
    ByteBuffer bytes = ByteBuffer.wrap(id.bytes());
    long mixed = name.hashCode() * 0x9e3779b97f4a7c15L;
    long high = timeMs << 16 | 0x7000 | bytes.getLong() & 0xfff;
    long low = (bytes.getLong() ^ mixed) & 0x3fffffffffffffffL | 0x8000000000000000L;
    return new UUID(high, low);
  }

  private String site() {
    return part.getThere().getWish().getSite();
  }

  private PartNews gone(String why) {
    return new PartNews(PartState.GONE, part.getReservationId(), false, why, "", List.of());
  }

  private PartNews seen(PartState state, SiteReply.ShownThere seen) {
    return new PartNews(state, part.getReservationId(), false, "", seen.state(), seen.lost());
  }

  private PartNews unclear(SiteReply reply) {
    if (reply instanceof SiteReply.Unknown unknown) {
      return unchanged(unknown.why(), unknown.hopeless());
    }
    SitePart there = part.getThere();
    String status = reply instanceof SiteReply.Said said ? " (" + refusal(said) + ")" : "";
    return unchanged(there.getWish().getSite() + " is not sure what it has done" + status, false);
  }

  private PartNews unchanged(String why, boolean hopeless) {
    return new PartNews(part.getState(), part.getReservationId(), hopeless, why, "", List.of());
  }

  /** What a command says, without its own name and without line ends. */
  private static String refusal(SiteReply.Said said) {
    String words = line(said.err()).replaceFirst("^plus_[a-z]+: (denied: )?", "");
    return words.isEmpty() ? "exit status " + said.status() : words;
  }

  /** One line of characters that can be shown, not too long. */
  static String line(String text) {
    String shown = text.strip().replaceAll("[^\\x20-\\x7e]+", " ");
    return shown.length() > 200 ? shown.substring(0, 200) + "..." : shown;
  }
}
