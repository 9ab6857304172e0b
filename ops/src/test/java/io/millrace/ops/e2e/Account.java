package io.millrace.ops.e2e;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;

/**
 * A user of the machine.
 *
 * @param made whether the test created it and removes it
 */
public record Account(String name, Path home, boolean made) {

  private static final Duration PATIENCE = Duration.ofSeconds(180);

  public static boolean superuser() {
    return System.getProperty("user.name").equals("root");
  }

  /** The user who runs this test. */
  static Account own() {
    return new Account(
        System.getProperty("user.name"), Path.of(System.getProperty("user.home")), false);
  }

  /** An ordinary user: a new one when root runs the tests, else the user himself. */
  public static Account ordinary(String name, Path folder)
      throws IOException, InterruptedException {
    if (!superuser()) {
      System.out.println("e2e: not root, so that jobs run as " + own().name());
      return own();
    }
    TestRunLock.begin();
    Path home = folder.resolve("home-" + name);
    add(new Shell(folder), folder, name, home);
    Files.createDirectories(home);
    Account account = new Account(name, home, true);
    account.own(folder, home);
    return account;
  }

  /** Synchronised, since the machine's user table has one writer at a time. */
  private static synchronized void add(Shell shell, Path folder, String name, Path home)
      throws IOException, InterruptedException {
    if (exists(shell, folder, name)) {
      // Left by a test run that was killed before it could remove its users.
      delete(shell, folder, name).must();
    }
    shell.run(folder, PATIENCE, "useradd -M -s /bin/bash -d " + home + " " + name).must();
  }

  private static boolean exists(Shell shell, Path folder, String name)
      throws IOException, InterruptedException {
    return shell.run(folder, PATIENCE, "id -u " + name).status() == 0;
  }

  /** Deletes a user after ending his processes; forced, because a zombie of his cannot be ended. */
  private static synchronized Shell.Answer delete(Shell shell, Path folder, String name)
      throws IOException, InterruptedException {
    String number = shell.run(folder, PATIENCE, "id -u " + name).must().strip();
    Machine.killAllOf(Long.parseLong(number));
    return shell.run(folder, PATIENCE, "userdel -f " + name);
  }

  /** Gives a folder to this user. */
  void own(Path folder, Path path) throws IOException, InterruptedException {
    if (superuser()) {
      new Shell(folder).run(folder, PATIENCE, "chown -R " + name + ": " + path).must();
    }
  }

  /** Prefix that makes a command run as this user. */
  List<String> become() {
    if (own().name().equals(name)) {
      return List.of();
    }
    return List.of(
        "setpriv",
        "--reuid=" + name,
        "--regid=" + name,
        "--init-groups",
        "env",
        "HOME=" + home,
        "USER=" + name,
        "LOGNAME=" + name);
  }

  /** Removes the user and ends his processes; reports when that fails. */
  public void remove(Path folder) throws IOException, InterruptedException {
    Shell shell = new Shell(folder);
    if (made && exists(shell, folder, name)) {
      Shell.Answer deleted = delete(shell, folder, name);
      if (deleted.status() != 0) {
        System.out.println("e2e: the user " + name + " stays: " + deleted);
      }
    }
  }
}
