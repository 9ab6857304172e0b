package io.millrace.server.http;

import java.util.Map;
import java.util.Optional;

/**
 * Carries out requests. All calls but {@link #refusal} and {@link #headers} may take their time.
 */
public interface HttpService {

  /**
   * What the head of a request tells.
   *
   * @param refusal a whole answer for which the body need not be read
   * @param known whether it is proven who asks
   * @param owner the user whose part of the memory the body takes; empty when it is nobody's
   * @param marks headers of every answer to this request from now on
   */
  record Early(
      Optional<HttpAnswer> refusal, boolean known, String owner, Map<String, String> marks) {

    public static Early refused(HttpAnswer answer) {
      return new Early(Optional.of(answer), false, "", Map.of());
    }

    public static Early goOn(boolean known, Map<String, String> marks) {
      return new Early(Optional.empty(), known, "", marks);
    }

    /** It is proven that this user asks. */
    public static Early of(String user, Map<String, String> marks) {
      return new Early(Optional.empty(), true, user, marks);
    }
  }

  /** Looks at a request whose body is empty still. */
  default Early early(ReceivedRequest head) throws InterruptedException {
    return Early.goOn(true, Map.of());
  }

  /** The answer to a whole request. */
  HttpAnswer answer(ReceivedRequest request) throws InterruptedException;

  /** The answer for a failure that is no surprise; without one it is logged and said to be ours. */
  default Optional<HttpAnswer> expected(RuntimeException failure) {
    return Optional.empty();
  }

  /** A whole answer that says why there is no other one, in one line. */
  HttpAnswer refusal(HttpRefusal why, String text);

  /** Headers of every answer. */
  default Map<String, String> headers() {
    return Map.of();
  }
}
