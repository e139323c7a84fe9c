/**
 * A script for a page: the visible texts whose contrast to what is behind them, as WCAG 2 reckons it, is below `least`.
 * It knows solid backgrounds only, and leaves out what is disabled, as WCAG does.
 */
export function contrastsBelow(least: number): string {
  return `(() => {
    const channels = (color) => color.match(/[\\d.]+/g).map(Number)
    const linear = (value) => value <= 10.31475 ? value / 255 / 12.92 : ((value / 255 + 0.055) / 1.055) ** 2.4
    const luminance = ([red, green, blue]) => 0.2126 * linear(red) + 0.7152 * linear(green) + 0.0722 * linear(blue)
    const behind = (element) => {
      const [red, green, blue, alpha = 1] = channels(getComputedStyle(element).backgroundColor)
      return alpha === 0 ? behind(element.parentElement) : [red, green, blue]
    }
    const contrast = (element) => {
      const lights = [luminance(channels(getComputedStyle(element).color)), luminance(behind(element))]
      return (Math.max(...lights) + 0.05) / (Math.min(...lights) + 0.05)
    }
    return [...document.querySelectorAll('body *')]
      .filter((element) => [...element.childNodes].some((node) => node.nodeType === 3 && node.data.trim() !== ''))
      .filter((element) => element.checkVisibility() && !element.closest(':disabled, [aria-disabled], script'))
      .filter((element) => contrast(element) < ${least})
      .map((element) => element.innerText + ' ' + contrast(element).toFixed(2))
  })()`
}

/** A script for a page: the elements that reach out of a window of this width, or whose content reaches out of them. */
export function outside(width: number): string {
  return `[...document.querySelectorAll('body *:not(.unseen)')].filter((element) => {
    const { left, right } = element.getBoundingClientRect()
    const overflows = element.clientWidth > 0 && element.scrollWidth > element.clientWidth
    return left < 0 || right > ${width} || overflows
  }).map((element) => element.outerHTML.slice(0, 80))`
}
