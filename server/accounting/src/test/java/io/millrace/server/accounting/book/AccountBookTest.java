package io.millrace.server.accounting.book;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;

import io.millrace.schemas.pbs.resources.ResourceTable;
import io.millrace.server.accounting.account.AccountFixture;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What of the jobs is seen at once, and what the next process finds. */
class AccountBookTest {

  @TempDir private Path folder;

  private AccountBook open() throws IOException {
    return new AccountBook(folder, AccountFixture.CODEC);
  }

  private static JobAccount job(long number) {
    return JobAccount.of(AccountFixture.job(number), ResourceTable.of(List.of()));
  }

  private static JobAccount moved(JobAccount job) {
    return job.waiting(job.waiting().queue("other", 7));
  }

  @Test
  void theNextProcessFindsWhatWasCommitted() throws IOException {
    try (AccountBook book = open()) {
      book.put(1, 1, job(1));
      book.put(1, 2, job(2));
      book.commit();
      book.put(1, 1, moved(job(1)));
      book.remove(1, 2);
      assertEquals(moved(job(1)), book.job(1, 1));
      assertNull(book.job(1, 2));
      book.commit();
      assertNull(book.job(1, 2));
      book.put(1, 1, job(1));
      book.put(1, 3, job(3));
    }
    try (AccountBook book = open()) {
      assertEquals(moved(job(1)), book.job(1, 1));
      assertNull(book.job(1, 2));
      assertNull(book.job(1, 3), "not committed");
    }
  }

  @Test
  void aJobThatCameAndWentBetweenTwoCommitsLeavesNothing() throws IOException {
    try (AccountBook book = open()) {
      book.put(1, 1, job(1));
      book.remove(1, 1);
      book.commit();
      assertNull(book.job(1, 1));
    }
    try (AccountBook book = open()) {
      assertNull(book.job(1, 1));
    }
  }

  @Test
  void manyJobsAreAllFoundAgain() throws IOException {
    try (AccountBook book = open()) {
      for (int i = 0; i < 1_500; i++) {
        book.put(i % 2, i, job(i));
      }
      book.commit();
      for (int i = 0; i < 1_500; i++) {
        assertEquals(i + ".vm", book.job(i % 2, i).id());
        assertNull(book.job(1 - i % 2, i));
      }
    }
  }

  @Test
  void theJobsOfAShardAreForgotten() throws IOException {
    try (AccountBook book = open()) {
      book.put(1, 1, job(1));
      book.put(2, 2, job(2));
      book.commit();
      book.put(1, 3, job(3));
      book.forget(1);
      assertNull(book.job(1, 1));
      assertNull(book.job(1, 3));
      assertNotNull(book.job(2, 2));
    }
    try (AccountBook book = open()) {
      assertNull(book.job(1, 1));
      assertNull(book.job(1, 3));
      assertNotNull(book.job(2, 2));
    }
  }
}
