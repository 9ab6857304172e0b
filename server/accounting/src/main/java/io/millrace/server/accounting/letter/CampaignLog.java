package io.millrace.server.accounting.letter;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.millrace.schemas.campaign.CampaignEnded;
import io.millrace.schemas.campaign.CampaignEvent;
import io.millrace.schemas.campaign.EventOpened;
import io.millrace.schemas.campaign.LoggedNotice;
import io.millrace.schemas.campaign.LoggedNotices;
import io.millrace.schemas.campaign.NoticeGroup;
import io.millrace.schemas.campaign.NoticeSeverity;
import io.millrace.schemas.folder.NamedFolder;
import io.millrace.server.accounting.book.AccountBook;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.LinkOption;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Clock;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import org.apache.avro.specific.SpecificRecord;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A line for each thing that is told of campaigns, in a file that the administrator names. Equal
 * things that happen within some seconds are one line with their number. The file is opened anew
 * each time, so that whoever rotates it needs to tell nobody.
 */
public final class CampaignLog {

  private static final Logger LOG = LoggerFactory.getLogger(CampaignLog.class);

  /** So long after the first thing its line is written, for what goes wrong seldom does so once. */
  static final long GATHER_MS = 10_000;

  /** Different things that are gathered; of others their number is told. */
  static final int GROUPS_MAX = 500;

  /** Characters of a name or a message. */
  private static final int TEXT_MAX = 250;

  private static final Set<String> FACTS =
      Set.of(EventOpened.getClassSchema().getName(), CampaignEnded.getClassSchema().getName());

  private static final Set<OpenOption> ADDING =
      Set.of(
          StandardOpenOption.CREATE,
          StandardOpenOption.WRITE,
          StandardOpenOption.APPEND,
          LinkOption.NOFOLLOW_LINKS);

  private final Path file;
  private final AccountBook book;
  private final Clock clock;
  private final long sinceMs;
  private LoggedNotices gathered;
  private boolean changed;
  private String trouble = "";

  /**
   * Goes on with what was gathered.
   *
   * @param sinceMs what was before is old
   */
  public CampaignLog(Path file, AccountBook book, Clock clock, long sinceMs) {
    this.file = file;
    this.book = book;
    this.clock = clock;
    this.sinceMs = sinceMs;
    this.gathered = book.logged();
  }

  /** Whether facts of a name give lines. */
  public boolean tells(String fact) {
    return FACTS.contains(fact);
  }

  public void follow(SpecificRecord fact) {
    if (fact instanceof EventOpened opened) {
      CampaignEvent event = opened.getEvent();
      String because =
          event.getBecause() == 0 ? "" : "because of event " + event.getBecause() + " ";
      NoticeGroup one =
          group(event.getCampaign(), event.getCode(), opened.getSeverity(), event.getCluster());
      one.setEvent(event.getId());
      one.setMessage(because + event.getMessage());
      gather(new LoggedNotice(opened.getAtMs(), opened.getOwner(), one));
    } else if (fact instanceof CampaignEnded ended) {
      NoticeGroup one = group(ended.getCampaign(), "ENDED", NoticeSeverity.LOW, "");
      one.setMessage(ended.getHow());
      gather(new LoggedNotice(ended.getAtMs(), ended.getOwner(), one));
    }
  }

  private static NoticeGroup group(
      long campaign, String code, NoticeSeverity severity, String cluster) {
    return new NoticeGroup(campaign, "", code, severity, cluster, 1, 0L, "");
  }

  private void gather(LoggedNotice one) {
    if (one.getAtMs() < sinceMs) {
      return;
    }
    changed = true;
    if (gathered == null) {
      gathered = new LoggedNotices(clock.millis(), new ArrayList<>(), 0);
    }
    NoticeGroup what = one.getWhat();
    Optional<NoticeGroup> equal =
        gathered.getNotices().stream()
            .map(LoggedNotice::getWhat)
            .filter(it -> isEqual(it, what))
            .findFirst();
    if (equal.isPresent()) {
      equal.get().setCount(equal.get().getCount() + 1);
    } else if (gathered.getNotices().size() < GROUPS_MAX) {
      what.setMessage(plain(what.getMessage()));
      gathered.getNotices().add(one);
    } else {
      gathered.setMore(gathered.getMore() + 1);
    }
  }

  private static boolean isEqual(NoticeGroup one, NoticeGroup other) {
    return one.getCampaign() == other.getCampaign()
        && one.getCode().equals(other.getCode())
        && one.getCluster().equals(other.getCluster());
  }

  /**
   * Writes what is due, and keeps the rest with the book's next commit. What cannot be written
   * stays, and is tried again.
   */
  public void write() {
    if (gathered != null && isDue()) {
      try {
        append(text(gathered));
        gathered = null;
        changed = true;
        trouble = "";
      } catch (IOException e) {
        complain(e);
        gathered.setSinceMs(clock.millis());
      }
    }
    if (changed) {
      book.logged(gathered);
      changed = false;
    }
  }

  /** A time ahead of now is past, as clocks are set. */
  private boolean isDue() {
    long now = clock.millis();
    return gathered.getSinceMs() <= now - GATHER_MS || gathered.getSinceMs() > now;
  }

  private void complain(IOException why) {
    String said = why.toString();
    if (!said.equals(trouble)) {
      LOG.warn("the log of campaigns cannot be written, and is tried again: {}", said);
    }
    trouble = said;
  }

  private void append(String lines) throws IOException {
    Optional<String> refused = NamedFolder.refuseFile(file.toString());
    if (refused.isPresent()) {
      throw new IOException(file + " " + refused.get());
    }
    try (FileChannel channel =
        FileChannel.open(
            file,
            ADDING,
            PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-r-----")))) {
      long begin = channel.size();
      ByteBuffer bytes = ByteBuffer.wrap(lines.getBytes(UTF_8));
      try {
        while (bytes.hasRemaining()) {
          channel.write(bytes);
        }
        channel.force(false);
      } catch (IOException e) {
        // A disk that is full has taken a part: it would stand there twice.
        channel.truncate(begin);
        throw e;
      }
    }
  }

  private static String text(LoggedNotices all) {
    StringBuilder text = new StringBuilder();
    all.getNotices().forEach(it -> line(it, text));
    if (all.getMore() > 0) {
      text.append(time(all.getSinceMs()));
      text.append(" and ").append(all.getMore()).append(" further things\n");
    }
    return text.toString();
  }

  private static void line(LoggedNotice one, StringBuilder text) {
    NoticeGroup what = one.getWhat();
    text.append(time(one.getAtMs())).append(' ');
    text.append(what.getSeverity().name().toLowerCase(Locale.ROOT)).append(' ');
    text.append(what.getCode());
    List<String> fields = new ArrayList<>();
    fields.add(what.getCampaign() == 0 ? "" : "campaign=" + what.getCampaign());
    fields.add(one.getOwner().isEmpty() ? "" : "user=" + word(one.getOwner()));
    fields.add(what.getCluster().isEmpty() ? "" : "cluster=" + word(what.getCluster()));
    fields.add("count=" + what.getCount());
    fields.add(what.getEvent() == 0 ? "" : "event=" + what.getEvent());
    fields.stream().filter(it -> !it.isEmpty()).forEach(it -> text.append(' ').append(it));
    text.append(what.getMessage().isEmpty() ? "" : ": " + what.getMessage()).append('\n');
  }

  private static String time(long atMs) {
    return Instant.ofEpochMilli(atMs).truncatedTo(ChronoUnit.SECONDS).toString();
  }

  private static String word(String text) {
    return plain(text).replace(' ', '_');
  }

  /** What others have written stays on its line, and is none of its own. */
  private static String plain(String text) {
    String line = text.replaceAll("[\\p{Cc}\\p{Cf}\\p{Zl}\\p{Zp}]", " ").strip();
    return line.length() > TEXT_MAX ? line.substring(0, TEXT_MAX) + "..." : line;
  }
}
