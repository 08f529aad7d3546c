package dev.gmptrace.runtime.config;

/** A variable of the environment has a value that cannot be used; the message names both. */
public final class ConfigException extends RuntimeException {
  ConfigException(String message) {
    super(message, null, false, false);
  }
}
