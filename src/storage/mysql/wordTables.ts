const ASCII = 'CHARACTER SET ascii COLLATE ascii_bin NOT NULL'
const OPTIONS = 'ENGINE=InnoDB ROW_FORMAT=DYNAMIC'

/** The tables of the index of a prefix: what is told of each entry, all of its words in one text, and the entries of each word. */
export function tablesOf(prefix: string) {
  return { entries: `${prefix}search_records`, texts: `${prefix}search_texts`, words: `${prefix}search_words` }
}

/** Statements that create them where they are missing, and drop the table that releases before them had. */
export function wordTables(prefix: string): readonly string[] {
  const { entries, texts, words } = tablesOf(prefix)
  return [
    `CREATE TABLE IF NOT EXISTS ${entries} (position BIGINT NOT NULL PRIMARY KEY, id VARCHAR(80) ${ASCII}, kind VARCHAR(20) ${ASCII}, area VARCHAR(20) ${ASCII}, scope VARCHAR(80) ${ASCII}, UNIQUE KEY id (id)) ${OPTIONS}`,
    `CREATE TABLE IF NOT EXISTS ${texts} (position BIGINT NOT NULL PRIMARY KEY, words MEDIUMBLOB NOT NULL) ${OPTIONS}`,
    `CREATE TABLE IF NOT EXISTS ${words} (word VARBINARY(80) NOT NULL, position BIGINT NOT NULL, PRIMARY KEY (word, position)) ${OPTIONS}`,
    `DROP TABLE IF EXISTS ${prefix}search_entries`
  ]
}
