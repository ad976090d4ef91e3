/** Returns a function that creates a value for each object once. The value is kept as long as the object exists. */
export function memoizeByKey<K extends object, T>(create: (key: K) => T): (key: K) => T {
  const known = new WeakMap<K, T>();
  return (key) => {
    const value = known.get(key) ?? create(key);
    known.set(key, value);
    return value;
  };
}
