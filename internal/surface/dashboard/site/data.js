// Data that several views show: profiles with their browsers, and tabs.

import { get, text } from './api.js'

/**
 * @typedef {object} Profile
 * @property {string} name
 * @property {string} color
 * @property {string} driver
 * @property {boolean} running
 * @property {boolean} [connected] false: chela has no connection to the browser
 * @property {number} tabCount
 * @property {boolean} isDefault
 * @property {boolean} isRemote
 */

/**
 * @typedef {object} Tab
 * @property {string} tabId
 * @property {string} title
 * @property {string} url
 * @property {string} [urlUnavailableReason]
 * @property {string} [session]
 * @property {string} [label]
 * @property {boolean} [users] the user has opened the tab
 * @property {boolean} [unowned] the tab belongs to no session
 * @property {boolean} [isolated] the tab shares cookies and storage only with the tabs of its session
 * @property {boolean} [crashed]
 * @property {string} [leasedTo] the session that has leased the tab for itself
 * @property {string} [leasedUntil]
 * @property {{since: string, until: string, guest?: string}} [person] set while a person has taken over the tab; guest is the id of the share, if its guest has the tab
 */

/** @returns {Promise<Profile[]>} */
export const profiles = async () => (await get('/profiles')).profiles

/** Says whether the browser of a profile runs. Tabs are listed only then: to list the tabs of the person's own browser, the server would connect to it. @param {Profile} p */
export const isUp = p => p.running && p.connected !== false

/** @param {string} profile @returns {Promise<Tab[]>} */
export const tabsOf = async profile => {
  const { tabs } = await get('/tabs', { profile })
  return tabs.sort((/** @type {Tab} */ a, /** @type {Tab} */ b) => a.tabId.localeCompare(b.tabId, 'en', { numeric: true }))
}

/** @param {Tab} tab */
export const titleOf = tab => tab.title || (tab.urlUnavailableReason ? 'An address that the policy does not allow' : 'Untitled')

/** Gets the memory that the running browsers use, in bytes, by profile. */
export async function memory() {
  /** @type {Map<string, number>} */
  const bytes = new Map()
  for (const [, profile, value] of (await text('/metrics')).matchAll(/^chela_browser_memory_bytes\{profile="([^"]*)"\} (\S+)/gm)) bytes.set(profile, Number(value))
  return bytes
}

/** Returns the link to the view of a tab. @param {string} profile @param {string} tab */
export const tabPath = (profile, tab) => `#/tab/${encodeURIComponent(profile)}/${encodeURIComponent(tab)}`
