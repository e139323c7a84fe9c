// What the console does first: it takes the token of the tab, and asks whose it is. The path is relative, as the console's are.
const token = sessionStorage.getItem('hub.token')
const said = document.getElementById('session')

if (token !== null) {
  const response = await fetch('../auth/session', { headers: { authorization: `Bearer ${token}` } })
  const { user, error } = await response.json()
  said.textContent = user ? `Signed in as ${user.name}.` : error
}
