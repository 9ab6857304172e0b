package io.millrace.connectors.slurm;

import io.millrace.connectors.bridge.command.OutsideAnswer;
import io.millrace.connectors.bridge.system.OutsideTag;
import java.util.List;

/** Where Slurm is asked, and given orders, in the words of its commands. */
interface SlurmDoor {

  /**
   * Asks in our own name.
   *
   * @param words name of a command, and its arguments
   */
  OutsideAnswer ask(List<String> words) throws InterruptedException;

  /** Asks for the whole queue in the name of an account. */
  OutsideAnswer queueAs(String account, List<String> words) throws InterruptedException;

  /** Gives an order in the name of an account. */
  OutsideAnswer order(String account, List<String> words, byte[] input) throws InterruptedException;

  /** Whether a submission of an earlier process may be under way yet. */
  boolean isSubmitting(OutsideTag tag, String account);
}
