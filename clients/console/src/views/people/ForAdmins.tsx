import type { ComponentChildren } from 'preact'
import { isAdmin } from '../../app/session.js'
import { Placeholder } from '../../ui/Notice.js'
import { Page } from '../../ui/Page.js'

interface ForAdminsProps {
  readonly title: string
  readonly children: ComponentChildren
}

/** A view that only administrators have: the hub would refuse the others each part of it. */
export function ForAdmins({ title, children }: ForAdminsProps) {
  if (isAdmin.value) return <>{children}</>
  return (
    <Page title={title}>
      <Placeholder icon="lock" title="This is for administrators">
        <p>Your account works with records. Ask whoever runs the hub where you need to know more, or to open more.</p>
      </Placeholder>
    </Page>
  )
}
