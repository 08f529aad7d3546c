package dev.gmptrace.runtime.config;

/** A variable of the environment has a value that cannot be used; the message names both. */
public final class ConfigException extends RuntimeException {
  /** With a sentence that names the variable and its value. */
  public ConfigException(String message) {
    super(message, null, false, false);
  }
}
