import './style.css'
import './app/theme.js'
import { render } from 'preact'
import { openSession } from './app/session.js'
import { Console } from './views/views.js'

const place = document.getElementById('console')
if (!place) throw new Error('The page has no place for the console.')
openSession()
render(<Console />, place)
