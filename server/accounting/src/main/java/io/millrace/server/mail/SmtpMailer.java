package io.millrace.server.mail;

import jakarta.mail.Address;
import jakarta.mail.Message;
import jakarta.mail.MessagingException;
import jakarta.mail.SendFailedException;
import jakarta.mail.Session;
import jakarta.mail.Transport;
import jakarta.mail.internet.AddressException;
import jakarta.mail.internet.InternetAddress;
import jakarta.mail.internet.MimeMessage;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Date;
import java.util.List;
import java.util.Properties;
import org.eclipse.angus.mail.smtp.SMTPAddressFailedException;
import org.eclipse.angus.mail.smtp.SMTPSendFailedException;
import org.eclipse.angus.mail.smtp.SMTPSenderFailedException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A server that takes mail without a password, for example the site's relay. */
record SmtpMailer(String host, int port) implements Mailer {

  private static final Logger LOG = LoggerFactory.getLogger(SmtpMailer.class);
  private static final String CONNECT_MS = "10000";
  private static final String ANSWER_MS = "30000";
  private static final int USUAL_PORT = 25;

  /** From here on an answer of SMTP means never. */
  private static final int PERMANENT = 500;

  @Override
  public void send(String from, MailMessage letter) throws IOException, LetterRefusal {
    Properties settings = new Properties();
    settings.put("mail.smtp.host", host);
    settings.put("mail.smtp.port", Integer.toString(port < 0 ? USUAL_PORT : port));
    settings.put("mail.smtp.connectiontimeout", CONNECT_MS);
    settings.put("mail.smtp.timeout", ANSWER_MS);
    settings.put("mail.smtp.writetimeout", ANSWER_MS);
    settings.put("mail.smtp.starttls.enable", "true");
    // Those who can be reached get it, also when another address is wrong.
    settings.put("mail.smtp.sendpartial", "true");
    settings.put("mail.smtp.from", from);
    Session session = Session.getInstance(settings);
    try {
      MimeMessage message = new MimeMessage(session);
      message.setFrom(address(from));
      for (String to : letter.to()) {
        message.addRecipient(Message.RecipientType.TO, address(to));
      }
      message.setSubject(letter.subject(), StandardCharsets.UTF_8.name());
      message.setText(letter.text(), StandardCharsets.UTF_8.name());
      message.setSentDate(new Date(letter.atMs()));
      message.saveChanges();
      send(session, message);
    } catch (AddressException e) {
      throw new LetterRefusal(e.getMessage());
    } catch (MessagingException e) {
      judge(e);
    }
  }

  private static void send(Session session, MimeMessage message)
      throws MessagingException, Unreachable {
    Transport transport = session.getTransport("smtp");
    try {
      transport.connect();
    } catch (MessagingException e) {
      throw new Unreachable(oneLine(e), e);
    }
    try {
      transport.sendMessage(message, message.getAllRecipients());
    } finally {
      close(transport);
    }
  }

  /** Whether the letter was taken is known by then. */
  private static void close(Transport transport) {
    try {
      transport.close();
    } catch (MessagingException e) {
      LOG.debug("the mail server was left without a farewell", e);
    }
  }

  /** User names of a host may be what addresses of the world are not. */
  private static Address address(String text) throws AddressException {
    return new InternetAddress(text, false);
  }

  private static void judge(MessagingException failure) throws IOException, LetterRefusal {
    boolean some =
        failure instanceof SendFailedException partly
            && partly.getValidSentAddresses() != null
            && partly.getValidSentAddresses().length > 0;
    for (Exception each = failure; each instanceof MessagingException why; each = next(why)) {
      // A second try would reach those again who have it already.
      if (some || code(each) >= PERMANENT) {
        throw new LetterRefusal(oneLine(each));
      }
    }
    throw new IOException(oneLine(failure), failure);
  }

  private static Exception next(MessagingException failure) {
    return failure.getNextException();
  }

  private static int code(Exception failure) {
    if (failure instanceof SMTPAddressFailedException address) {
      return address.getReturnCode();
    }
    if (failure instanceof SMTPSenderFailedException sender) {
      return sender.getReturnCode();
    }
    return failure instanceof SMTPSendFailedException send ? send.getReturnCode() : 0;
  }

  private static String oneLine(Exception failure) {
    return List.of(String.valueOf(failure.getMessage()).split("\\R")).get(0);
  }
}
