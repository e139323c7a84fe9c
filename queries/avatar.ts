const COLORS = ['sky-600', 'violet-600', 'emerald-600', 'amber-600', 'rose-600', 'cyan-600', 'indigo-600', 'teal-600']

/** Initials and a colour that stand for an account; always the same for the same id and name. */
export function avatarOf(id: string, name: string): { readonly avatarInitials: string; readonly avatarColor: string } {
  const words = name.split(/\s+/).filter(Boolean)
  const letters = words.length > 1 ? words.slice(0, 2).map((word) => [...word][0]) : [...(words[0] ?? '')].slice(0, 2)
  let hash = 0
  for (let i = 0; i < id.length; i++) hash = (hash * 31 + id.charCodeAt(i)) >>> 0
  return {
    avatarInitials: letters.join('').toUpperCase() || '?',
    avatarColor: COLORS[hash % COLORS.length] ?? 'sky-600'
  }
}
