package io.millrace.server.mail;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.icegreen.greenmail.util.GreenMail;
import com.icegreen.greenmail.util.ServerSetup;
import io.millrace.server.unprivileged.UnprivilegedProgram;
import jakarta.mail.MessagingException;
import jakarta.mail.internet.MimeMessage;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Letters against a mail server that speaks SMTP, and against programs. */
class MailSenderTest {

  private static final long NOW_MS = Instant.parse("2026-11-20T15:35:54Z").toEpochMilli();

  /** Letters in memory. */
  private static final class Box implements Outbox {
    private final TreeMap<Long, byte[]> letters = new TreeMap<>();
    private String mailer;
    private long last;

    void put(MailMessage letter) {
      letters.put(++last, letter.bytes());
    }

    @Override
    public Optional<KeptLetter> after(long number) {
      return Optional.ofNullable(letters.higherEntry(number))
          .map(it -> new KeptLetter(it.getKey(), it.getValue()));
    }

    @Override
    public void remove(long number) {
      letters.remove(number);
    }

    @Override
    public Sender sender() {
      return new Sender(mailer, "adm@mill");
    }
  }

  private final Box box = new Box();
  private Clock clock = Clock.fixed(Instant.ofEpochMilli(NOW_MS), ZoneOffset.UTC);

  private static MailMessage letter(String... to) {
    return new MailMessage(NOW_MS, List.of(to), "PBS JOB 1.mill", "PBS Job Id: 1.mill\nBegun\n");
  }

  private MailSender post() {
    return new MailSender(box, clock, new UnprivilegedProgram(Path.of("/nowhere")));
  }

  @Test
  void lettersReachAMailServer() throws Exception {
    GreenMail server = new GreenMail(new ServerSetup(0, "127.0.0.1", ServerSetup.PROTOCOL_SMTP));
    server.start();
    try {
      box.mailer = "smtp://127.0.0.1:" + server.getSmtp().getPort();
      box.put(letter("ann@mill", "bob@there"));
      box.put(new MailMessage(NOW_MS, List.of("ann@mill"), "a\r\nBcc: eve@x", ".\n..\nend\n"));
      try (MailSender post = post()) {
        assertTrue(post.step());
        assertTrue(post.step());
        assertFalse(post.step());
        assertEquals(2, post.sent());
      }
      MimeMessage[] received = server.getReceivedMessages();
      assertEquals(3, received.length, "two for the first letter");
      assertEquals("adm@mill", received[0].getFrom()[0].toString());
      assertEquals("ann@mill, bob@there", received[0].getHeader("To", ","));
      assertEquals(
          "PBS Job Id: 1.mill\nBegun\n",
          received[0].getContent().toString().replace("\r\n", "\n").stripTrailing() + "\n");
      MimeMessage second =
          Arrays.stream(received).filter(it -> subject(it).startsWith("a")).findAny().orElseThrow();
      assertEquals("a  Bcc: eve@x", subject(second), "no header of one's own");
      assertEquals(
          ".\n..\nend", second.getContent().toString().replace("\r\n", "\n").stripTrailing());
    } finally {
      server.stop();
    }
  }

  private static String subject(MimeMessage message) {
    try {
      return message.getSubject();
    } catch (MessagingException e) {
      throw new IllegalStateException(e);
    }
  }

  @Test
  void whileNobodyAnswersLettersWaitForADay() throws Exception {
    GreenMail server = new GreenMail(new ServerSetup(0, "127.0.0.1", ServerSetup.PROTOCOL_SMTP));
    server.start();
    box.mailer = "smtp://127.0.0.1:" + server.getSmtp().getPort();
    server.stop();
    box.put(letter("ann@mill"));
    try (MailSender post = post()) {
      assertFalse(post.step());
      assertEquals(1, box.letters.size());
    }
    clock = Clock.offset(clock, MailSender.AGE_MAX);
    try (MailSender post = post()) {
      assertTrue(post.step());
      assertEquals(1, post.dropped());
      assertEquals(0, box.letters.size());
    }
  }

  @Test
  void aProgramIsCalledLikeSendmail(@TempDir Path folder) throws Exception {
    Path program = folder.resolve("mailer");
    Path said = folder.resolve("said");
    Files.writeString(program, "#!/bin/sh\necho \"$@\" >" + said + "; cat >>" + said + "\n");
    // Root's programs run as nobody.
    Files.createFile(said);
    Files.setPosixFilePermissions(folder, PosixFilePermissions.fromString("rwxr-xr-x"));
    Files.setPosixFilePermissions(said, PosixFilePermissions.fromString("rw-rw-rw-"));
    Files.setPosixFilePermissions(program, PosixFilePermissions.fromString("rwxr-xr-x"));
    box.mailer = program.toString();
    box.put(letter("ann@mill", "-oQ/etc", "bob"));
    try (MailSender post = post()) {
      assertTrue(post.step());
    }
    assertEquals(
        "-f adm@mill ann@mill bob\nTo: ann@mill, bob\nSubject: PBS JOB 1.mill\n\n"
            + "PBS Job Id: 1.mill\nBegun\n",
        Files.readString(said));
  }

  @Test
  void whatCanNeverBeSentIsDroppedAndCounted(@TempDir Path folder) throws Exception {
    box.mailer = folder + "/none";
    box.put(letter("ann@mill"));
    box.put(letter("-x"));
    try (MailSender post = post()) {
      assertTrue(post.step());
      assertTrue(post.step());
      assertEquals(2, post.dropped());
      assertEquals(0, post.sent());
    }
    for (String wrong : List.of("smtp://", "smtp:// x", "smtp://h/path")) {
      box.mailer = wrong;
      box.put(letter("ann@mill"));
      try (MailSender post = post()) {
        assertTrue(post.step(), wrong);
        assertEquals(1, post.dropped());
      }
    }
  }

  @Test
  void aThreadSendsThem() throws Exception {
    BlockingQueue<String> sent = new LinkedBlockingQueue<>();
    int[] failures = {1};
    Mailer mailer =
        (from, letter) -> {
          if (failures[0]-- > 0) {
            throw new Mailer.Unreachable("later", null);
          }
          sent.add(letter.subject());
        };
    box.put(letter("ann@mill"));
    try (MailSender post = new MailSender(box, clock, name -> mailer)) {
      post.start();
      assertEquals("PBS JOB 1.mill", sent.poll(20, TimeUnit.SECONDS));
    }
    assertTrue(sent.isEmpty(), "it was sent once");
  }

  /** A relay that wants to see mail to ann later; tells when the sender says RCPT and QUIT. */
  private static void relay(ServerSocket door) throws IOException {
    for (Socket caller; (caller = door.accept()) != null; caller.close()) {
      BufferedReader in =
          new BufferedReader(new InputStreamReader(caller.getInputStream(), US_ASCII));
      OutputStream out = caller.getOutputStream();
      out.write("220 relay\r\n".getBytes(US_ASCII));
      boolean data = false;
      for (String line; (line = in.readLine()) != null; ) {
        boolean ends = line.equals(".");
        if (data && !ends) {
          continue;
        }
        String answer = line.equals("DATA") ? "354 go on" : "250 good";
        answer = line.startsWith("RCPT TO:<ann@") ? "450 greylisted" : answer;
        data = line.equals("DATA");
        out.write((answer + "\r\n").getBytes(US_ASCII));
      }
    }
  }

  @Test
  void aLetterThatIsToComeLaterGoesBehindTheOthers() throws Exception {
    Clock[] now = {clock};
    clock =
        new Clock() {
          @Override
          public ZoneId getZone() {
            return ZoneOffset.UTC;
          }

          @Override
          public Clock withZone(ZoneId zone) {
            return this;
          }

          @Override
          public Instant instant() {
            return now[0].instant();
          }
        };
    try (ServerSocket door = new ServerSocket(0, 5, InetAddress.getLoopbackAddress());
        MailSender post = post()) {
      Thread relay =
          new Thread(
              () -> {
                try {
                  relay(door);
                } catch (IOException e) {
                  // the door was closed
                }
              });
      relay.setDaemon(true);
      relay.start();
      box.mailer = "smtp://127.0.0.1:" + door.getLocalPort();
      box.put(letter("ann@mill"));
      box.put(letter("bob@mill"));
      assertTrue(post.step());
      assertTrue(post.step());
      assertEquals(1, post.sent());
      assertEquals(List.of(1L), List.copyOf(box.letters.keySet()));
      assertFalse(post.step(), "its time has not come");
      now[0] = Clock.offset(now[0], Duration.ofSeconds(30));
      assertTrue(post.step());
      assertFalse(post.step());
      now[0] = Clock.offset(now[0], MailSender.AGE_MAX);
      assertTrue(post.step());
      assertEquals(1, post.dropped());
      assertEquals(0, box.letters.size());
    }
  }

  @Test
  void addressesThatFitNoCommandLineHoldUpNobody() throws Exception {
    String[] many = new String[200_000];
    Arrays.fill(many, "somebody@somewhere.org");
    box.mailer = "/bin/true";
    box.put(letter(many));
    box.put(letter("ann@mill"));
    try (MailSender post = post()) {
      assertTrue(post.step());
      assertEquals(1, post.dropped());
      assertTrue(post.step());
      assertEquals(1, post.sent());
    }
  }

  @Test
  void aMailerThatFailsAndADamagedLetterHoldUpNobody() throws Exception {
    Mailer mailer =
        (from, letter) -> {
          if (letter.to().contains("ann@mill")) {
            throw new IllegalStateException("planted");
          }
        };
    box.put(letter("ann@mill"));
    box.letters.put(++box.last, new byte[3]);
    box.put(letter("bob@mill"));
    try (MailSender post = new MailSender(box, clock, name -> mailer)) {
      for (int i = 0; i < 3; i++) {
        assertTrue(post.step());
      }
      assertEquals(2, post.dropped());
      assertEquals(1, post.sent());
    }
  }
}
