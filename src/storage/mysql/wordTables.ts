const ASCII = 'CHARACTER SET ascii COLLATE ascii_bin NOT NULL'
const OPTIONS = 'ENGINE=InnoDB ROW_FORMAT=DYNAMIC'

/** The tables of the index of a prefix: what is told of each entry, all of its words in one text, and the entries of each word. */
export function tablesOf(prefix: string) {
  const index = `${prefix}search_index`
  return { entries: `${index}_entries`, texts: `${index}_texts`, words: `${index}_words` }
}

/** Statements that create them where they are missing, and drop the tables that releases before them had. */
export function wordTables(prefix: string): readonly string[] {
  const { entries, texts, words } = tablesOf(prefix)
  const before = ['entries', 'records', 'texts', 'words'].map((name) => `${prefix}search_${name}`)
  return [
    `CREATE TABLE IF NOT EXISTS ${entries} (position BIGINT NOT NULL PRIMARY KEY, id VARCHAR(80) ${ASCII}, kind VARCHAR(20) ${ASCII}, area VARCHAR(20) ${ASCII}, scope VARCHAR(80) ${ASCII}, UNIQUE KEY id (id)) ${OPTIONS}`,
    `CREATE TABLE IF NOT EXISTS ${texts} (position BIGINT NOT NULL PRIMARY KEY, words MEDIUMBLOB NOT NULL) ${OPTIONS}`,
    `CREATE TABLE IF NOT EXISTS ${words} (word VARBINARY(80) NOT NULL, block BIGINT NOT NULL, positions VARBINARY(512) NOT NULL, PRIMARY KEY (word, block)) ${OPTIONS}`,
    ...before.map((name) => `DROP TABLE IF EXISTS ${name}`)
  ]
}
