package io.millrace.server.web.event;

import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;

/**
 * Of what somebody wants to hear, and may.
 *
 * @param kinds of objects that he wants to hear of
 * @param owners whose jobs he may hear of; of nobody's are those of which only the number is left
 */
public record Interest(Set<String> kinds, Predicate<Optional<String>> owners) {

  boolean in(Change change) {
    return kinds.contains(change.kind())
        && (!change.kind().equals(ChangeText.Kind.JOB.word()) || owners.test(change.owner()));
  }
}
