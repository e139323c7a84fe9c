import type { IndexFile } from './file.js'
import { type IndexPlace, indexPlace, isDamage, isUnusable } from './openFile.js'
import type { Call, Question } from './thread.js'

interface OpenIndex {
  readonly place: IndexPlace
  readonly file: IndexFile
}

/** The files that a thread works on, by the number of their index. A file is opened with the first question about it. */
export class IndexFiles {
  readonly #open = new Map<number, OpenIndex>()

  /** Answers one question. Throws what the database throws; a file that it cannot read is then a new one. */
  answer({ index, path, asked }: Omit<Call, 'call'>): unknown {
    if (asked.what === 'close') return this.#close(index)
    const one = this.#open.get(index) ?? this.#opened(index, path)
    try {
      return asked.what === 'empty' ? this.#renew(index, one) : answerOf(one.file, asked)
    } catch (error) {
      if (isDamage(error)) this.#renew(index, one)
      throw error
    }
  }

  #opened(index: number, path: string | null): OpenIndex {
    const place = indexPlace(path)
    try {
      const one = { place, file: openedAt(place) }
      this.#open.set(index, one)
      return one
    } catch (error) {
      place.leave()
      throw error
    }
  }

  /** Puts an empty file in place of one. */
  #renew(index: number, { place, file }: OpenIndex): null {
    this.#open.delete(index)
    file.close()
    try {
      place.empty()
      this.#open.set(index, { place, file: place.open() })
      return null
    } catch (error) {
      place.leave()
      throw error
    }
  }

  #close(index: number): null {
    const one = this.#open.get(index)
    this.#open.delete(index)
    one?.file.close()
    one?.place.leave()
    return null
  }
}

function openedAt(place: IndexPlace): IndexFile {
  try {
    return place.open()
  } catch (error) {
    if (!isUnusable(error)) throw error
    place.empty()
    return place.open()
  }
}

function answerOf(file: IndexFile, asked: Question): unknown {
  switch (asked.what) {
    case 'progress':
      return file.progress
    case 'apply':
      return file.apply(asked.over, asked.to, asked.changes)
    case 'find':
      return file.find(asked.query)
    case 'sweep':
      return file.sweep(asked.erasure)
  }
}
