package io.millrace.schedulers.gridengine.language.cluster;

import io.millrace.schedulers.gridengine.language.cluster.Complex.Requestable;
import io.millrace.schedulers.gridengine.language.options.QueueOptions;
import java.util.Optional;

/** Which combinations of columns Grid Engine accepts for an attribute. */
final class ComplexRules {

  private ComplexRules() {}

  /** What is wrong with an attribute, to be read after its name; empty when it is valid. */
  static Optional<String> check(Complex complex) {
    return name(complex)
        .or(() -> slots(complex))
        .or(() -> relation(complex))
        .or(() -> consumable(complex))
        .or(() -> usual(complex));
  }

  private static Optional<String> name(Complex complex) {
    String signs = "[^=,:;|&!()\\[\\]*?@\"']+";
    return wrong(
        !complex.name().matches(signs) || !complex.shortcut().matches(signs),
        "has a sign in its name or shortcut with which it cannot be requested");
  }

  /** Attributes that queues set themselves must have Grid Engine's type for them. */
  private static Optional<String> slots(Complex complex) {
    if (complex.name().equals("slots")) {
      return wrong(
          complex.type() != ValueType.INT || !complex.consumable(),
          "must be of type INT and consumable (YES)");
    }
    if (QueueOptions.LIMIT_NAMES.contains(complex.shortcut())
        && !complex.name().equals(complex.shortcut())) {
      return Optional.of("has the name of a limit of queues for its shortcut");
    }
    if (QueueOptions.LIMIT_NAMES.contains(complex.name())) {
      ValueType own = QueueOptions.isTime(complex.name()) ? ValueType.TIME : ValueType.MEMORY;
      return wrong(complex.type() != own, "is a limit of queues and must be of type " + own);
    }
    return Optional.empty();
  }

  private static Optional<String> relation(Complex complex) {
    Relation relation = complex.relation();
    boolean equality = relation == Relation.EQUAL || relation == Relation.UNEQUAL;
    if (relation == Relation.EXCLUSIVE) {
      return wrong(
          complex.type() != ValueType.BOOL || !complex.consumable(),
          "has relop EXCL, for which it must be of type BOOL and consumable (YES)");
    }
    if (complex.type() == ValueType.BOOL) {
      return wrong(relation != Relation.EQUAL, "is of type BOOL: its relop must be == or EXCL");
    }
    return wrong(
        !complex.type().numeric() && !equality,
        "is of type " + complex.type() + ": its relop must be == or !=");
  }

  private static Optional<String> consumable(Complex complex) {
    if (!complex.consumable()) {
      return Optional.empty();
    }
    if (!complex.type().numeric()) {
      return Optional.of("is no number, so it cannot be consumed");
    }
    boolean fitting =
        complex.relation() == Relation.AT_MOST || complex.relation() == Relation.EXCLUSIVE;
    return wrong(!fitting, "is consumable: its relop must be <= (of type BOOL: EXCL)");
  }

  private static Optional<String> usual(Complex complex) {
    double usual = complex.usualAmount();
    Requestable requestable = complex.use().requestable();
    if (!complex.consumable()) {
      boolean none =
          complex.type().numeric() ? usual == 0 : complex.worth().usual().equalsIgnoreCase("NONE");
      String must = complex.type().numeric() ? "0" : "NONE";
      return wrong(!none, "is not consumable: its default must be " + must);
    }
    if (usual < 0) {
      return Optional.of("has a default below 0");
    }
    if (requestable == Requestable.NO && usual == 0) {
      return Optional.of("can neither be requested nor is taken by default: default must not be 0");
    }
    return wrong(
        requestable == Requestable.FORCED && usual != 0,
        "must be requested (FORCED): its default must be 0");
  }

  private static Optional<String> wrong(boolean is, String problem) {
    return is ? Optional.of(problem) : Optional.empty();
  }
}
