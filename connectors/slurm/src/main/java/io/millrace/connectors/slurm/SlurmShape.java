package io.millrace.connectors.slurm;

import io.millrace.connectors.bridge.system.OutsideAmounts;
import io.millrace.connectors.bridge.system.OutsideShare;
import io.millrace.connectors.bridge.system.OutsideSubmission;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/**
 * In which words of sbatch a run asks for its hosts. All tasks of a job are alike there: pieces
 * that differ go when each host has as many processors as any other, and pieces that are alike also
 * when hosts have different numbers of them, as long as Slurm chooses the hosts.
 */
final class SlurmShape {

  private SlurmShape() {}

  /** The words; empty when there are none for such a run. */
  static Optional<List<String>> words(OutsideSubmission order) {
    OutsideAmounts amounts = order.amounts();
    if (!amounts.isSpread()) {
      List<String> words = tasks(1, amounts.slots());
      memory(amounts, words);
      if (!order.place().hosts().isEmpty()) {
        words.add("--nodes=1");
      }
      return Optional.of(words);
    }
    Optional<Integer> alike = amounts.slotsOfChunk();
    int hosts = amounts.hosts().size();
    List<String> words;
    if (amounts.isEven()) {
      int onEach = alike.isPresent() ? amounts.hosts().get(0).chunks() : 1;
      words = tasks(hosts * onEach, amounts.hosts().get(0).slots() / onEach);
      words.add("--ntasks-per-node=" + onEach);
      memory(amounts, words);
    } else if (alike.isPresent() && order.place().hosts().isEmpty()) {
      words = tasks(amounts.chunks(), alike.get());
      long mb = new OutsideShare(1, amounts.widest().memoryKbOfSlot(), 1).memoryMb();
      if (mb > 0) {
        words.add("--mem-per-cpu=" + mb + "M");
      }
    } else {
      return Optional.empty();
    }
    words.add("--nodes=" + hosts);
    return Optional.of(words);
  }

  /** Why there are none. */
  static String refusal(OutsideSubmission order) {
    return "Slurm gives no job "
        + order.amounts().words()
        + " processors of its hosts; ask for as many of each, as with place=scatter";
  }

  private static List<String> tasks(int count, int slots) {
    return new ArrayList<>(List.of("--ntasks=" + count, "--cpus-per-task=" + slots));
  }

  /** Of each host it is the same. */
  private static void memory(OutsideAmounts amounts, List<String> words) {
    long mb =
        amounts.hosts().stream()
            .max(Comparator.comparingLong(OutsideShare::memoryKb))
            .orElseThrow()
            .memoryMb();
    if (mb > 0) {
      words.add("--mem=" + mb + "M");
    }
  }
}
