package io.millrace.server.mail;

import java.util.Optional;

/** The letters that are kept until they are sent; for any thread. */
public interface Outbox {

  record KeptLetter(long number, byte[] letter) {}

  /** The oldest one with a greater number; numbers begin with 1 and grow. */
  Optional<KeptLetter> after(long number);

  /** It has been sent, or never will be. */
  void remove(long number);

  /** Who sends, and from whom; as administrators have set it. */
  Sender sender();

  /**
   * @param mailer a program, or smtp://host
   * @param from an address
   */
  record Sender(String mailer, String from) {}
}
